/** Choosing a language: for this browser, and for the person's notifications on the server. */
import { me } from './me.svelte';
import { LANGUAGES, type Language } from './messages.svelte';
import { settings } from './settings.svelte';
import type { Me } from './types';

/** Switches the language. If the server can't be reached, only this browser remembers it. */
export function choose(language: Language): void {
  settings.set({ language });
  if (language in LANGUAGES) me.speak(language).catch(() => undefined);
}

/** After a login: uses the person's language; a person without one keeps that of this browser. */
export function follow(person: Me): void {
  if (person.language && person.language in LANGUAGES) settings.set({ language: person.language });
  else choose(settings.language);
}
