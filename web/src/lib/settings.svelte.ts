/** The player's settings, kept in this browser. */
import { canSpeak, language, LANGUAGES, speak, type Language } from './messages.svelte';

export type Theme = 'system' | 'light' | 'dark';
/** How fast other players' turns are shown; `off`: at once. */
export const SPEEDS = ['slow', 'normal', 'fast', 'off'] as const;
export type Speed = (typeof SPEEDS)[number];
const KEY = 'tikal.settings';

interface Kept {
  language: Language;
  theme: Theme;
  speed: Speed;
  sound: boolean;
  notify: boolean;
  /** Whether a resting pointer opens cards. */
  cards: boolean;
  /** Whether the coach helps in games against bots. */
  coach: boolean;
}

/** The first of the preferred locales that we support: `pt-BR` if there is such a folder, else `pt`. */
export function spoken(preferred: readonly string[]): Language | undefined {
  return preferred.flatMap((locale) => [locale, locale.split('-')[0]!]).find((one) => one in LANGUAGES);
}

function fresh(): Kept {
  return { language: spoken(navigator.languages ?? []) ?? 'en', theme: 'system', speed: 'normal', sound: false, notify: false, cards: true, coach: false };
}

function read(): Kept {
  try {
    const kept: Kept = { ...fresh(), ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
    const asked = new URLSearchParams(location.search).get('lang');
    return asked && canSpeak(asked) ? { ...kept, language: asked } : kept;
  } catch {
    return fresh();
  }
}

/** Whether a language is written from left to right or from right to left. */
function direction(language: Language): string {
  const locale = new Intl.Locale(language) as Intl.Locale & { textInfo?: { direction: string }; getTextInfo?: () => { direction: string } };
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction ?? 'ltr';
}

class Settings {
  #kept = $state<Kept>(read());
  /** Whether the system asks for reduced motion. */
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
  get cards(): boolean {
    return this.#kept.cards;
  }
  get coach(): boolean {
    return this.#kept.coach;
  }

  /** Stores settings and applies them at once. */
  set(changes: Partial<Kept>): void {
    Object.assign(this.#kept, changes);
    localStorage.setItem(KEY, JSON.stringify(this.#kept));
    void this.apply();
  }

  async apply(): Promise<void> {
    const root = document.documentElement;
    if (this.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = this.theme;
    await speak(this.language);
    root.lang = language();
    root.dir = direction(language());
  }

  /** The duration of an animation step, in milliseconds; 0: no animation. */
  get step(): number {
    return this.still ? 0 : { slow: 700, normal: 250, fast: 110, off: 0 }[this.speed];
  }
}

export const settings = new Settings();
