/**
 * Asking about things. Anything with `data-about`, a hex, or a control with an action can be asked about: by resting the
 * pointer on it, by a long press, or by `?` while it has the focus. `Cards.svelte` listens and shows the card.
 */

/** What can be asked about. */
const THING = '[data-about], [data-refused], [data-action], [data-hex]';

/** A question: the thing, the reason of a refusal there, and whether the card takes the focus and stays. */
export interface Question {
  thing: Element;
  why: string | null;
  /** The address of the rule behind `why`. */
  rule: string | null;
  stays: boolean;
}

class Ask {
  question = $state.raw<Question | null>(null);

  /** Opens the card of a thing; false if there is none. */
  about(thing: Element | null, why: string | null = null, rule: string | null = null, stays = true): boolean {
    const found = thing?.closest(THING);
    if (!found) return false;
    this.question = { thing: found, why, rule, stays };
    return true;
  }

  close(): void {
    this.question = null;
  }

  /** The thing under a point of the screen. */
  at(x: number, y: number): Element | null {
    return document.elementFromPoint(x, y)?.closest(THING) ?? null;
  }
}

export const ask = new Ask();
