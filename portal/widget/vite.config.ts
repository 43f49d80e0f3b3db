import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Builds the script that websites include: one file with a fixed address, without a dependency. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: 'widget/main.ts', formats: ['iife'], name: 'widget', fileName: () => 'widget.js' },
  },
});
