import { mount } from 'svelte';
import '@fontsource-variable/alegreya/wght.css';
import '@fontsource-variable/source-sans-3/wght.css';
import './app.css';
import App from './App.svelte';
import { settings } from './lib/settings.svelte';

await settings.apply();
mount(App, { target: document.getElementById('app')! });
