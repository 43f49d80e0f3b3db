import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { routeTable } from './route-table.ts';

const TITLE = 'Agents for your clients, under your name · Portal';
const DESCRIPTION =
  'For agencies that look after local businesses: install agents that text back missed callers, remind people of visits and ask for reviews. Clients see the results under your name.';

/**
 * Writes `first-page.html`: index.html with the landing page in it, so that the first byte shows it and search engines and link previews read
 * it. `{{base}}` stands for the public address, which the service fills in.
 */
export function firstPage(): Plugin {
  let outDir = '';
  return {
    name: 'first-page',
    apply: 'build',
    configResolved: ({ root, build }) => void (outDir = join(root, build.outDir)),
    async closeBundle() {
      const html = await readFile(join(outDir, 'index.html'), 'utf8');
      const font = (await readdir(join(outDir, 'assets'))).find((name) => /^hanken-grotesk-latin-wght-normal-.*\.woff2$/.test(name));
      if (font === undefined) throw new Error('The font of the landing page is missing.');
      const markup = await renderLanding();
      const page = html
        .replace('<title>Portal</title>', () => headOf(font))
        .replace('<div id="root"></div>', (root) => `<div id="first">${markup}</div>\n    ${root}`);
      await writeFile(join(outDir, 'first-page.html'), page);
    },
  };
}

function headOf(font: string): string {
  return `<title>${TITLE}</title>
    <meta name="description" content="${DESCRIPTION}" />
    <link rel="canonical" href="{{base}}/" />
    <meta property="og:type" content="website" />
    <meta property="og:url" content="{{base}}/" />
    <meta property="og:title" content="${TITLE}" />
    <meta property="og:description" content="${DESCRIPTION}" />
    <meta property="og:image" content="{{base}}/preview.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="The runs of an agency, and the portal of one of its clients." />
    <meta name="twitter:card" content="summary_large_image" />
    <link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin />`;
}

/** Renders the page with the portal's own modules. */
async function renderLanding(): Promise<string> {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    plugins: [react(), routeTable()],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    const module = (await server.ssrLoadModule('/features/public/render-landing.tsx')) as { renderLanding: () => string }; // its export
    return module.renderLanding();
  } finally {
    await server.close();
  }
}
