import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { tikalData } from './data-plugin.ts';

// The build parses messages, so pages need no parser: intl-messageformat gets one that is empty.
const PARSER = '@formatjs/icu-messageformat-parser';

// The build goes where `tikal serve` looks for it. TIKAL_WEB_OUT lets the build hook choose another folder.
export default defineConfig(({ command }) => ({
  plugins: [svelte(), tikalData()],
  resolve: { alias: (command === 'build' ? { [PARSER]: `${PARSER}/no-parser.js` } : {}) as Record<string, string> },
  build: {
    outDir: process.env.TIKAL_WEB_OUT ?? '../src/tikal/client',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: scripts, and files are cached for good
    reportCompressedSize: true,
  },
  server: {
    proxy: { '/api': { target: process.env.TIKAL_SERVER ?? 'http://localhost:8088', ws: true } },
  },
}));
