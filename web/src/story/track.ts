/** The score track: from 0 to 99, and again from 0. */
export const LAP = 100;

/** Where a score lies on the track, and how often it went round before. */
export function lap(score: number): { place: number; rounds: number } {
  return { place: score % LAP, rounds: Math.floor(score / LAP) };
}

/** The scores that a token passes on its way, at most as many as an animation needs. */
export function way(from: number, to: number, most = 24): number[] {
  const steps = Math.min(Math.abs(to - from), most);
  return Array.from({ length: steps + 1 }, (_, step) => Math.round(from + ((to - from) * step) / Math.max(1, steps)));
}
