import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vite.config.ts';

// A busy machine is no reason to fail.
export default mergeConfig(base({ command: 'serve', mode: 'test' }), defineConfig({ test: { setupFiles: ['tests/setup.ts'], testTimeout: 60_000 } }));
