/**
 * The rhythm of the smoke of all volcanoes: a few steps a second, painted like everything else. If puffs were CSS
 * animations, each would become a layer of its own, and everything above it another one.
 */
import { createSubscriber } from 'svelte/reactivity';
import { settings } from '../lib/settings.svelte';

const BEAT = 400; // milliseconds
const BEATS = 24; // steps from the crater to nothing

class Smoke {
  #beat = 0;
  #follow = createSubscriber((update) => {
    const beating = setInterval(() => {
      this.#beat++;
      update();
    }, BEAT);
    return () => clearInterval(beating);
  });

  /** How far a puff has risen, 0 to 1; constant with reduced motion. */
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

/** The position of a puff when it has risen this far: out of the crater, then growing, drifting and fading. */
export function puff(risen: number): Puff {
  const out = Math.min(1, risen / 0.2);
  return {
    x: 22 * risen * risen,
    y: 6 - 50 * risen,
    scale: 0.55 + 0.9 * risen,
    opacity: 0.44 * out * (1 - risen) ** 0.8,
  };
}
