import { tanstackRouter } from '@tanstack/router-plugin/vite';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './chunks.ts';
import { CSS_TARGET, firstPage } from './first-page.ts';
import { pageFiles } from './page-files.ts';
import { routeTable } from './route-table.ts';
import { smallerLibraries } from './smaller-libraries.ts';
import { themedStyles } from './themed-styles.ts';

/** In development the portal asks the service, which owns every path that is not a page. */
const SERVICE = 'http://localhost:3000';

export default defineConfig(async () => ({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A loader needs its page's queries, so it comes with the page instead of with the first load.
      codeSplittingOptions: {
        defaultBehavior: [
          ['loader', 'component'],
          ['errorComponent', 'notFoundComponent'],
        ],
      },
      routesDirectory: './routes',
      generatedRouteTree: './route-tree.gen.ts',
      quoteStyle: 'single',
    }),
    react(),
    themedStyles(),
    tailwindcss(),
    routeTable(),
    smallerLibraries(),
    pageFiles(),
    firstPage(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: CSS_TARGET,
    // One stylesheet: the order of its rules must not depend on which page was opened first.
    cssCodeSplit: false,
    // The content security policy allows no data: fonts or scripts, and small files cost nothing over one connection.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // What the entry imports at once: tests/first-load.test.ts compares index.html with it and limits the first load.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups() },
        // Every page names the parts of others: short names are a kilobyte less in each first load.
        chunkFileNames: ({ name }: { name: string }) => `assets/${name.startsWith('part~') ? 'part' : '[name]'}-[hash].js`,
      },
    },
  },
  server: { port: 5173, proxy: await proxyToService() },
}));

/** The first words of all paths of the API, which no page begins with (architecture, section 6). */
async function proxyToService(): Promise<Record<string, string>> {
  const { routes } = await import('@partner-portal/contract/index.ts');
  const words = Object.values(routes).map(({ path }) => path.split('/')[1] ?? '');
  return Object.fromEntries(['api', ...words].map((word) => [`^/${word}(?:[/?]|$)`, SERVICE]));
}
