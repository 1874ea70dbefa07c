/**
 * Small sounds, made in the browser and off unless somebody wishes them. A sound is a few notes: a tone or a breath of
 * noise, each with a length and a loudness.
 */
import { settings } from './settings.svelte';

export type Sound = 'step' | 'place' | 'dig' | 'stone' | 'score' | 'bell';

interface Note {
  /** The pitch in hertz; 0: noise. */
  pitch: number;
  /** Where it glides to. */
  to?: number;
  start: number;
  length: number;
  loud: number;
  shape?: OscillatorType;
}

const SOUNDS: Readonly<Record<Sound, readonly Note[]>> = {
  step: [{ pitch: 190, to: 120, start: 0, length: 0.07, loud: 0.16, shape: 'triangle' }],
  place: [
    { pitch: 0, start: 0, length: 0.09, loud: 0.18 },
    { pitch: 110, to: 70, start: 0, length: 0.16, loud: 0.25, shape: 'triangle' },
  ],
  dig: [
    { pitch: 0, start: 0, length: 0.08, loud: 0.12 },
    { pitch: 0, start: 0.12, length: 0.08, loud: 0.12 },
    { pitch: 1320, start: 0.22, length: 0.3, loud: 0.1, shape: 'sine' },
  ],
  stone: [
    { pitch: 0, start: 0, length: 0.14, loud: 0.16 },
    { pitch: 240, to: 150, start: 0.02, length: 0.12, loud: 0.2, shape: 'square' },
  ],
  score: [
    { pitch: 660, start: 0, length: 0.18, loud: 0.12, shape: 'triangle' },
    { pitch: 880, start: 0.12, length: 0.26, loud: 0.12, shape: 'triangle' },
  ],
  bell: [
    { pitch: 784, start: 0, length: 0.7, loud: 0.16, shape: 'sine' },
    { pitch: 1568, start: 0, length: 0.4, loud: 0.06, shape: 'sine' },
    { pitch: 1046, start: 0.18, length: 0.8, loud: 0.14, shape: 'sine' },
  ],
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

function breath(audio: AudioContext): AudioBufferSourceNode {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
    const data = noise.getChannelData(0);
    for (let place = 0; place < data.length; place++) data[place] = Math.random() * 2 - 1;
  }
  const source = audio.createBufferSource();
  source.buffer = noise;
  return source;
}

function tone(audio: AudioContext, note: Note, start: number): OscillatorNode {
  const source = audio.createOscillator();
  source.type = note.shape ?? 'sine';
  source.frequency.setValueAtTime(note.pitch, start);
  if (note.to) source.frequency.exponentialRampToValueAtTime(note.to, start + note.length);
  return source;
}

/** Plays a sound, if sounds are wished for. A browser that has not been touched yet stays silent. */
export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined);
  for (const note of SOUNDS[sound]) {
    const start = context.currentTime + note.start;
    const source = note.pitch ? tone(context, note, start) : breath(context);
    const loud = context.createGain();
    loud.gain.setValueAtTime(note.loud, start);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + note.length);
    source.connect(loud).connect(context.destination);
    source.start(start);
    source.stop(start + note.length);
  }
}
