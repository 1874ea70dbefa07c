/** The score track: it grows by laps of fifty, so that a higher score is always farther along. */
export const LAP = 50;
const FEWEST = 2; // minimum number of laps

/** The length of a track for some scores. */
export function lengthFor(scores: readonly number[]): number {
  return LAP * Math.max(FEWEST, Math.floor(Math.max(0, ...scores) / LAP) + 1);
}

/** The numbers below the track: few enough to be readable. */
export function marks(length: number): number[] {
  const step = length <= 100 ? 10 : length <= 200 ? 25 : 50;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, place) => place * step);
}

/** The scores that a token passes on its way, at most as many as an animation needs. */
export function way(from: number, to: number, most = 24): number[] {
  const steps = Math.min(Math.abs(to - from), most);
  return Array.from({ length: steps + 1 }, (_, step) => Math.round(from + ((to - from) * step) / Math.max(1, steps)));
}
