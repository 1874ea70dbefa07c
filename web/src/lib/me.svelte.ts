/** Who sits before this browser: a guest from the first moment something needs it, without a form. */
import { t } from './messages.svelte';
import { Live } from './live.svelte';
import { Refused, server } from './server';

class Identity {
  name = $state<string | null>(null);
  known = $state(false);
  #asking: Promise<void> | null = null;
  #looking: Promise<void> | null = null;

  /** Looks who the server thinks we are; nobody is fine. Who asks at the same time waits for the same answer. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  async #look(): Promise<void> {
    try {
      this.name = (await server.me()).name;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'identity') throw error;
      this.name = null; // what this browser has kept means nobody any more
    }
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
    this.name = (await server.becomeGuest(t('common.guest', { number }))).name;
    live.reconnect();
  }

  async rename(name: string): Promise<void> {
    await this.ensure();
    this.name = (await server.rename(name)).name;
  }
}

export const live = new Live();
export const me = new Identity();
