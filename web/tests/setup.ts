/** Texts are loaded before a page is shown; tests speak English unless they choose another language. */
import { speak } from '../src/lib/messages.svelte';

await speak('en');
