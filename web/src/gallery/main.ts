/** Every piece on one page, to look at while drawing (`npm run dev`, then /gallery.html?part=board&theme=dark). */
import { mount } from 'svelte';
import '../app.css';
import Gallery from './Gallery.svelte';
import { speak } from '../lib/messages.svelte';

const wish = new URLSearchParams(location.search);
const theme = wish.get('theme');
if (theme) document.documentElement.dataset.theme = theme;

await speak('en');
mount(Gallery, { target: document.getElementById('app')!, props: { part: wish.get('part') ?? 'all' } });
