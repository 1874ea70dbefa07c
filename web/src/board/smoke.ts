/**
 * The beat that all volcanoes smoke by. A few steps a second, painted like everything else: as CSS animations each puff
 * would become a layer of its own, and all that lies above it another.
 */
import { createSubscriber } from 'svelte/reactivity';
import { settings } from '../lib/settings.svelte';

const BEAT = 400; // milliseconds
const BEATS = 24; // from the crater to nothing

class Smoke {
  #beat = 0;
  #follow = createSubscriber((update) => {
    const beating = setInterval(() => {
      this.#beat++;
      update();
    }, BEAT);
    return () => clearInterval(beating);
  });

  /** How far a puff has risen, 0 to 1; it stands still where little motion is wished for. */
  risen(share: number): number {
    if (!settings.still) this.#follow();
    return (this.#beat / BEATS + share) % 1;
  }
}

export const smoke = new Smoke();

export interface Puff {
  x: number;
  y: number;
  scale: number;
  opacity: number;
}

/** Where a puff is when it has risen so far: out of the crater, then growing, drifting and fading. */
export function puff(risen: number): Puff {
  const out = Math.min(1, risen / 0.2);
  return {
    x: 22 * risen * risen,
    y: 6 - 50 * risen,
    scale: 0.55 + 0.9 * risen,
    opacity: 0.44 * out * (1 - risen) ** 0.8,
  };
}
