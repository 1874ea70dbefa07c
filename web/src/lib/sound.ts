/**
 * Small sounds, synthesised in the browser and off by default. A sound is a few notes: a tone or a burst of
 * noise, each with a length and a loudness.
 */
import { settings } from './settings.svelte';

export type Sound =
  | 'step'
  | 'place'
  | 'camp'
  | 'stone'
  | 'guard'
  | 'dig'
  | 'exchange'
  | 'shot'
  | 'coin'
  | 'volcano'
  | 'count'
  | 'score'
  | 'bell'
  | 'win';

interface Note {
  /** The pitch in hertz; for noise the middle of the passband. */
  pitch: number;
  /** The pitch at the end of a glide. */
  to?: number;
  start: number;
  length: number;
  loud: number;
  shape: OscillatorType | 'noise';
  /** Attack time in seconds; without it the note is struck. */
  swell?: number;
}

const struck = (pitch: number, start: number, length: number, loud: number, shape: Note['shape'] = 'triangle', to?: number): Note => ({
  pitch,
  start,
  length,
  loud,
  shape,
  ...(to ? { to } : {}),
});
/** A tone of wood or metal is a few partials above a note. */
const chime = (pitch: number, start: number, length: number, loud: number): Note[] => [
  struck(pitch, start, length, loud, 'sine'),
  struck(pitch * 2.76, start, length * 0.4, loud * 0.25, 'sine'),
];

const SOUNDS: Readonly<Record<Sound, readonly Note[]>> = {
  // on leaves and gravel: two soft feet
  step: [struck(900, 0, 0.05, 0.14, 'noise'), struck(150, 0, 0.06, 0.1, 'sine', 90), struck(1100, 0.11, 0.045, 0.1, 'noise')],
  // a thick tile on wood
  place: [struck(1400, 0, 0.04, 0.2, 'noise'), struck(140, 0, 0.16, 0.26, 'sine', 70)],
  // canvas, then a peg
  camp: [{ pitch: 700, to: 1800, start: 0, length: 0.22, loud: 0.14, shape: 'noise', swell: 0.12 }, ...chime(620, 0.24, 0.08, 0.1), ...chime(650, 0.36, 0.08, 0.08)],
  // a chisel, and stones that fall
  stone: [...chime(1850, 0, 0.07, 0.07), struck(500, 0.03, 0.16, 0.2, 'noise', 180), struck(380, 0.15, 0.1, 0.12, 'noise', 160)],
  // a drum, twice
  guard: [struck(110, 0, 0.2, 0.3, 'sine', 62), struck(110, 0.2, 0.32, 0.32, 'sine', 55), struck(900, 0.2, 0.04, 0.06, 'noise')],
  // a spade, a spade, and gold
  dig: [struck(800, 0, 0.09, 0.14, 'noise', 400), struck(900, 0.15, 0.09, 0.14, 'noise', 420), ...chime(1319, 0.3, 0.45, 0.09), ...chime(1760, 0.38, 0.5, 0.07)],
  exchange: [...chime(1047, 0, 0.2, 0.08), ...chime(784, 0.12, 0.25, 0.08)],
  shot: [struck(1200, 0, 0.05, 0.26, 'noise', 300), struck(1100, 0.08, 0.05, 0.22, 'noise', 300), struck(1000, 0.16, 0.12, 0.2, 'noise', 200)],
  coin: [...chime(2093, 0, 0.12, 0.06), ...chime(2637, 0.06, 0.2, 0.06)],
  // from deep below
  volcano: [
    { pitch: 90, to: 190, start: 0, length: 1.3, loud: 0.3, shape: 'noise', swell: 0.7 },
    { pitch: 48, to: 36, start: 0, length: 1.4, loud: 0.3, shape: 'sine', swell: 0.5 },
    struck(240, 0.75, 0.5, 0.24, 'noise', 90),
  ],
  count: [...chime(988, 0, 0.16, 0.08)],
  score: [...chime(784, 0, 0.25, 0.09), ...chime(988, 0.1, 0.25, 0.09), ...chime(1175, 0.2, 0.5, 0.1)],
  bell: [...chime(784, 0, 0.9, 0.15), ...chime(1047, 0.18, 1, 0.12)],
  // a small fanfare
  win: [523, 659, 784].flatMap((pitch, place) => [struck(pitch, place * 0.14, 0.22, 0.1, 'triangle')]).concat([523, 659, 784, 1047].map((pitch) => struck(pitch, 0.46, 1.1, 0.07, 'triangle'))),
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Band-pass noise, so that it resembles a material. */
function breath(audio: AudioContext, note: Note, start: number): { source: AudioBufferSourceNode; out: AudioNode } {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate * 2, audio.sampleRate);
    const data = noise.getChannelData(0);
    for (let place = 0; place < data.length; place++) data[place] = Math.random() * 2 - 1;
  }
  const source = audio.createBufferSource();
  source.buffer = noise;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.Q.value = 0.9;
  glide(filter.frequency, note, start);
  return { source, out: source.connect(filter) };
}

function tone(audio: AudioContext, note: Note, shape: OscillatorType, start: number): { source: OscillatorNode; out: AudioNode } {
  const source = audio.createOscillator();
  source.type = shape;
  glide(source.frequency, note, start);
  return { source, out: source };
}

function glide(pitch: AudioParam, note: Note, start: number): void {
  pitch.setValueAtTime(note.pitch, start);
  if (note.to) pitch.exponentialRampToValueAtTime(note.to, start + note.length);
}

/** Plays a sound, if sounds are on. Browsers stay silent before the first input. */
export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined);
  for (const note of SOUNDS[sound]) {
    const start = context.currentTime + note.start;
    const { source, out } = note.shape === 'noise' ? breath(context, note, start) : tone(context, note, note.shape, start);
    const loud = context.createGain();
    loud.gain.setValueAtTime(note.swell ? 0.0001 : note.loud, start);
    if (note.swell) loud.gain.exponentialRampToValueAtTime(note.loud, start + note.swell);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + note.length);
    out.connect(loud).connect(context.destination);
    source.start(start);
    source.stop(start + note.length);
  }
}
