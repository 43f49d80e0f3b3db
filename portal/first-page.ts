import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { routeTable } from './route-table.ts';

type Head = { title: string; description: string; path: string };

const LANDING: Head = {
  title: 'Agents for your clients, under your name · Portal',
  description:
    'For agencies that look after local businesses: install agents that text back missed callers, remind people of visits and ask for reviews. Clients see the results under your name.',
  path: '/',
};
const SIGNUP: Head = {
  title: 'Apply · Portal',
  description:
    'Apply for a workspace, or start a trial. Choose a plan or let us suggest one: we review every application, usually within one working day.',
  path: '/signup',
};

const headOf = ({ title, description, path }: Head): string => `<title>${title}</title>
    <meta name="description" content="${description}" />
    <link rel="canonical" href="{{base}}${path}" />
    <meta property="og:type" content="website" />
    <meta property="og:url" content="{{base}}${path}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="{{base}}/preview.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="The runs of an agency, and the portal of one of its clients." />
    <meta name="twitter:card" content="summary_large_image" />`;
/** The landing page, which is whole without a script, has it not. The application needs one to be sent. */
const NO_SCRIPT = '<noscript><p>The portal needs JavaScript. Allow it in your browser, then reload this page.</p></noscript>';

/**
 * Writes `first-page.html` and `first-signup.html`: index.html with the landing page or the application in it, so that the first byte shows it and search engines and link previews
 * read it. `{{base}}` stands for the public address, which the service fills in. Then writes the shapes of pages into index.html, which need
 * neither script nor stylesheet to be painted.
 */
export function firstPage(): Plugin {
  let outDir = '';
  return {
    name: 'first-page',
    apply: 'build',
    configResolved: ({ root, build }) => void (outDir = join(root, build.outDir)),
    async closeBundle() {
      const built = await readFile(join(outDir, 'index.html'), 'utf8');
      const font = (await readdir(join(outDir, 'assets'))).find((name) => /^hanken-grotesk-latin-wght-normal-.*\.woff2$/.test(name));
      if (font === undefined) throw new Error('The font of the portal is missing.');
      // Found in the stylesheet, it would come after the first words, which are then laid out twice.
      const preload = `<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin />`;
      const html = built.replace('</head>', () => `  ${preload}\n  </head>`);
      const { landing, signup, boot } = await renderParts();
      await writeFile(join(outDir, 'first-page.html'), withFirst(html, LANDING, landing));
      await writeFile(join(outDir, 'first-signup.html'), withFirst(html, SIGNUP, signup, NO_SCRIPT));
      await writeFile(join(outDir, 'index.html'), await withBoot(html, boot));
    },
  };
}

function withFirst(html: string, head: Head, rendered: string, before = ''): string {
  const { html: first, rules } = withoutStyleAttributes(rendered);
  return html
    .replace('</head>', () => (rules === '' ? '</head>' : `  <style>${rules}</style>\n  </head>`))
    .replace('<title>Portal</title>', headOf(head))
    .replace(/<meta name="description" content="Log in[^>]*>\s*/, '')
    .replace('<div id="root"></div>', (root) => `${before}<div id="first">${first}</div>\n    ${root}`);
}

/**
 * Makes rules of the styles that stand in elements: the content security policy of a page allows those it names by their hash, which a `style` attribute cannot
 * have. Scripts may still set styles of elements.
 */
function withoutStyleAttributes(rendered: string): { html: string; rules: string } {
  const styles: string[] = [];
  const html = rendered.replaceAll(/ style="([^"]*)"/g, (_attribute, style: string) => {
    if (!styles.includes(style)) styles.push(style);
    return ` data-style="${styles.indexOf(style)}"`;
  });
  return { html, rules: styles.map((style, at) => `[data-style='${at}']{${style.replaceAll('&#x27;', "'")}}`).join('') };
}

/** Puts the shapes into the page, with their rules in the head, and the stylesheet behind them: it holds up only what follows it. */
async function withBoot(html: string, boot: string): Promise<string> {
  const [sheet] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  if (sheet === undefined) throw new Error('The stylesheet of the portal is missing.');
  const rules = await readFile(join(import.meta.dirname, 'ui', 'layout', 'boot.css'), 'utf8');
  const faces = [...boot.matchAll(/class="boot" data-face="(\w+)"/g)].map(([, face = '']) => face);
  const others = faces.map((face) => `html:not([data-face='${face}']) #boot > [data-face='${face}']`).join(',');
  const page = "body{margin:0}noscript p{padding:0 24px}[data-theme='light']{color-scheme:light}[data-theme='dark']{color-scheme:dark}";
  return html
    .replace(sheet, () => `<style>${minify(rules)}@layer base{${page}}${others}{display:none}</style>`)
    .replace('<div id="root"></div>', () => `${NO_SCRIPT}\n    <div id="root"><div id="boot">${boot}</div></div>\n    ${sheet}`);
}

function minify(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim();
}

/** Renders the pages and the shapes with the portal's own modules. */
async function renderParts(): Promise<{ landing: string; signup: string; boot: string }> {
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
    // Their exports.
    const { renderLanding, renderSignup } = (await server.ssrLoadModule('/render-first.tsx')) as {
      renderLanding: () => string;
      renderSignup: () => string;
    };
    const { renderBoot } = (await server.ssrLoadModule('/render-boot.tsx')) as { renderBoot: () => string };
    return { landing: renderLanding(), signup: renderSignup(), boot: renderBoot() };
  } finally {
    await server.close();
  }
}
