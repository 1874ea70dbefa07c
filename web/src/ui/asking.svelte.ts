/** A request to the server: whether it is pending, why it was refused, its result. */
import type { Refused } from '../lib/server';
import { refusal } from './problems';

export class Asking {
  busy = $state(false);
  problem = $state.raw<Refused | null>(null);
  /** The result in words, set by the request. */
  said = $state('');

  /** Whether it succeeded; a refusal is kept for the page to show. */
  async ask(request: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.problem = null;
    this.said = '';
    try {
      await request();
      return true;
    } catch (error) {
      this.problem = refusal(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
