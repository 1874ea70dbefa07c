/** The person at this browser. They become a guest as soon as something needs an identity, without a form. */
import { language, t } from './messages.svelte';
import { Live } from './live.svelte';
import { Refused, server } from './server';
import type { Me } from './types';

class Identity {
  name = $state<string | null>(null);
  /** The name to log in with on other devices; null: a guest without a password. */
  login = $state<string | null>(null);
  known = $state(false);
  #asking: Promise<void> | null = null;
  #looking: Promise<void> | null = null;

  /** Asks the server for our identity, if any. Concurrent calls share one request. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  async #look(): Promise<void> {
    try {
      this.#is(await server.me());
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'identity') throw error;
      this.#is({ name: null }); // the token has expired
    }
  }

  #is(person: { name: string | null; login?: string | null }): void {
    this.name = person.name;
    this.login = person.login ?? null;
    this.known = true;
  }

  /** Ensures an identity, with this name if there is one: creates a guest if needed, whose name can change at any time. */
  async ensure(name = ''): Promise<void> {
    if (this.name === null) await (this.#asking ??= this.#become().finally(() => (this.#asking = null)));
    if (name.trim() && name.trim() !== this.name) this.#is(await server.rename(name));
  }

  async #become(): Promise<void> {
    if (!this.known) await this.look();
    if (this.name !== null) return;
    const number = 100 + Math.floor(Math.random() * 900);
    this.become(await server.becomeGuest(t('common.guest', { number }), language()));
  }

  /** Takes on an identity: after a link, a login, or as a new guest. */
  become(person: Me): void {
    this.#is(person);
    live.reconnect();
  }

  /** Forgets the identity, after a logout. */
  forget(): void {
    this.#is({ name: null });
    live.reconnect();
  }

  /** The language for notifications; the server stores it for people it knows. */
  async speak(language: string): Promise<void> {
    if (!this.known) await this.look(); // a page that has just opened may not know yet
    if (this.name !== null) await server.speak(language);
  }

  async rename(name: string): Promise<void> {
    await this.ensure();
    this.#is(await server.rename(name));
  }
}

export const live = new Live();
export const me = new Identity();
