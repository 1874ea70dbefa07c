/** What a person likes, kept in this browser. */
import { LANGUAGES, speak, type Language } from './messages.svelte';

export type Theme = 'system' | 'light' | 'dark';
export type Speed = 'slow' | 'normal' | 'fast' | 'off';
const KEY = 'tikal.settings';

interface Kept {
  language: Language;
  theme: Theme;
  speed: Speed;
  sound: boolean;
  notify: boolean;
}

function fresh(): Kept {
  const spoken = navigator.languages?.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES);
  return { language: (spoken as Language) ?? 'en', theme: 'system', speed: 'normal', sound: false, notify: false };
}

function read(): Kept {
  try {
    return { ...fresh(), ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return fresh();
  }
}

class Settings {
  #kept = $state<Kept>(read());
  /** Whether the system asks for little motion. */
  still = $state(matchMedia('(prefers-reduced-motion: reduce)').matches);

  constructor() {
    matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', (query) => (this.still = query.matches));
  }

  get language(): Language {
    return this.#kept.language;
  }
  get theme(): Theme {
    return this.#kept.theme;
  }
  get speed(): Speed {
    return this.#kept.speed;
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  get notify(): boolean {
    return this.#kept.notify;
  }

  /** Keeps a wish and follows it at once. */
  set(wish: Partial<Kept>): void {
    Object.assign(this.#kept, wish);
    localStorage.setItem(KEY, JSON.stringify(this.#kept));
    this.apply();
  }

  apply(): void {
    const root = document.documentElement;
    if (this.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.theme;
    void speak(this.language);
  }

  /** How long a step of an animation takes, in milliseconds; 0: none. */
  get step(): number {
    return this.still ? 0 : { slow: 700, normal: 250, fast: 110, off: 0 }[this.speed];
  }
}

export const settings = new Settings();
