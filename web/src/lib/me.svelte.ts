/** Who sits before this browser: a guest from the first moment something needs it, without a form. */
import { t } from './messages.svelte';
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

  /** Looks who the server thinks we are; nobody is fine. Who asks at the same time waits for the same answer. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  async #look(): Promise<void> {
    try {
      this.#is(await server.me());
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'identity') throw error;
      this.#is({ name: null }); // a token that means nobody any more
    }
  }

  #is(who: { name: string | null; login?: string | null }): void {
    this.name = who.name;
    this.login = who.login ?? null;
    this.known = true;
  }

  /** Makes sure that we are somebody: a guest with a name to be changed at any time. */
  async ensure(): Promise<void> {
    if (this.name !== null) return;
    this.#asking ??= this.#become().finally(() => (this.#asking = null));
    await this.#asking;
  }

  async #become(): Promise<void> {
    if (!this.known) await this.look();
    if (this.name !== null) return;
    const number = 100 + Math.floor(Math.random() * 900);
    this.become(await server.becomeGuest(t('common.guest', { number })));
  }

  /** From now on we are this person: after a link, a password, or for the first time. */
  become(who: Me): void {
    this.#is(who);
    live.reconnect();
  }

  /** We are nobody here any more. */
  forget(): void {
    this.#is({ name: null });
    live.reconnect();
  }

  async rename(name: string): Promise<void> {
    await this.ensure();
    this.#is(await server.rename(name));
  }
}

export const live = new Live();
export const me = new Identity();
