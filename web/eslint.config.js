import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import config from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules', 'src/lib/api.d.ts'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig: config } },
  },
  {
    rules: {
      'svelte/no-navigation-without-resolve': 'off', // SvelteKit's; we have no kit
      '@typescript-eslint/no-non-null-assertion': 'off', // where an index is known to be right
      'svelte/prefer-svelte-reactivity': 'off', // a Map that nobody looks at need not be reactive
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
);
