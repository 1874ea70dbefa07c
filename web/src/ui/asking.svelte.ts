/** Something asked of the server: whether an answer is awaited, what was refused, what came of it. */
import type { Refused } from '../lib/server';
import { refusal } from './problems';

export class Asking {
  busy = $state(false);
  problem = $state.raw<Refused | null>(null);
  /** What came of it, in words; for the request to say. */
  said = $state('');

  /** Whether it went well; a refusal is kept for the page to show. */
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
