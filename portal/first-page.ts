import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, createServer, type Plugin } from 'vite';
import type { PageFiles } from './page-files.ts';
import { routeTable } from './route-table.ts';
import { withBreakpoints } from './themed-styles.ts';

/** Browsers that know light-dark(): lowered, it would be resolved at the root and no subtree could wear the other theme. */
export const CSS_TARGET = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

type Head = { title: string; description: string; path: string };

const LANDING: Head = {
  title: `Agents for your clients, under your name · ${PRODUCT_NAME}`,
  description:
    'For agencies that look after local businesses: install agents that text back missed callers, remind people of visits and ask for reviews. Clients see the results under your name.',
  path: '/',
};
const SIGNUP: Head = {
  title: `Apply · ${PRODUCT_NAME}`,
  description:
    'Apply for a workspace, or start a trial. Choose a plan or let us suggest one: we review every application, usually within one working day.',
  path: '/signup',
};
/** A text of the operator, for which the service fills in what is in braces (service/public-texts.ts). */
const TEXT: Head = {
  title: `{{title}} · ${PRODUCT_NAME}`,
  description: '{{title}} of this portal, for the agencies that use it.',
  path: '{{path}}',
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
/** The landing page and texts, which are whole without a script, have it not. The application needs one to be sent. */
const NO_SCRIPT = '<noscript><p>The portal needs JavaScript. Allow it in your browser, then reload this page.</p></noscript>';

/**
 * Writes the pages that are there with the first byte, for people, search engines and link previews: the landing page (`first-page.html`) and the page of a text
 * (`first-text.html`), which have a script and a stylesheet of their own, and the application (`first-signup.html`), which is index.html with the form in it. `{{base}}` stands
 * for the public address, which the service fills in. Then writes the shapes of pages into index.html, which need neither script nor stylesheet to be painted.
 */
export function firstPage(): Plugin {
  let outDir = '';
  return {
    name: 'first-page',
    apply: 'build',
    configResolved: ({ root, build: { outDir: folder } }) => void (outDir = join(root, folder)),
    async closeBundle() {
      // Its comments are for its readers in the repository.
      const built = (await readFile(join(outDir, 'index.html'), 'utf8')).replaceAll(/\s*<!--.*?-->/gs, '');
      const font = (await readdir(join(outDir, 'assets'))).find((name) => /^hanken-grotesk-latin-wght-normal-.*\.woff2$/.test(name));
      if (font === undefined) throw new Error('The font of the portal is missing.');
      // Found in the stylesheet, it would come after the first words, which are then laid out twice.
      const preload = `<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin />`;
      // A page with nothing to read before its scripts have run asks for them first.
      const lowPreload = preload.replace(' />', ' fetchpriority="low" />');
      const html = built.replace('</head>', () => `  ${preload}\n  </head>`);
      const { landing, text, signup, boot } = await renderParts();
      const own = await withLandingFiles(html, outDir);
      await writeFile(join(outDir, 'first-page.html'), await withPictures(withFirst(own, LANDING, landing), outDir));
      await writeFile(join(outDir, 'first-text.html'), withFirst(own, TEXT, text));
      await writeFile(join(outDir, 'first-signup.html'), withFirst(await withSignupSheet(html, outDir), SIGNUP, signup, NO_SCRIPT));
      await writeFile(join(outDir, 'index.html'), await withBoot(html.replace(preload, lowPreload), boot));
    },
  };
}

/** Builds the script and the stylesheet of the landing page, and names them in place of those of the portal. */
async function withLandingFiles(html: string, outDir: string): Promise<string> {
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [tailwindcss()],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      cssTarget: CSS_TARGET,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { landing: join(import.meta.dirname, 'landing', 'main.ts') },
        // Formats and texts of controls are used without their hooks.
        treeshake: { moduleSideEffects: [{ test: /\/node_modules\/react\//, sideEffects: false }] },
      },
    },
  });
  if (!('output' in built)) throw new Error('The landing page is built once.');
  const names = built.output.map(({ fileName }) => fileName);
  const script = names.find((name) => name.endsWith('.js'));
  const sheet = names.find((name) => name.endsWith('.css'));
  const links = `<script type="module" crossorigin src="/${script}"></script>\n    <link rel="stylesheet" crossorigin href="/${sheet}">`;
  return html
    .replaceAll(/\s*<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?/g, '')
    .replace('</head>', () => `  ${links}\n  </head>`);
}

/** The application needs a part of the stylesheet, and its links open documents. */
async function withSignupSheet(html: string, outDir: string): Promise<string> {
  const pages = JSON.parse(await readFile(join(outDir, 'pages.json'), 'utf8')) as PageFiles[]; // written by this build
  const sheet = pages.find(({ path }) => path === '/signup')?.sheet;
  return html.replace(/(<link rel="stylesheet"[^>]* href=")[^"]+/, (_link, start: string) => `${start}/${sheet}`);
}

/** Puts the pictures among the files that are kept for ever, and their addresses into the page. */
async function withPictures(html: string, outDir: string): Promise<string> {
  const folder = join(import.meta.dirname, 'landing', 'pictures');
  let page = html;
  for (const name of await readdir(folder)) {
    const digest = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('base64url')
      .slice(0, 8);
    const asset = `${name.slice(0, -extname(name).length)}-${digest}${extname(name)}`;
    await copyFile(join(folder, name), join(outDir, 'assets', asset));
    page = page.replaceAll(`/pictures/${name}`, `/assets/${asset}`);
  }
  if (page.includes('/pictures/')) throw new Error('A picture of the landing page is missing.');
  return page;
}

function withFirst(html: string, head: Head, rendered: string, before = ''): string {
  const { html: first, rules } = withoutStyleAttributes(rendered);
  return html
    .replace('</head>', () => (rules === '' ? '</head>' : `  <style>${rules}</style>\n  </head>`))
    .replace(`<title>${PRODUCT_NAME}</title>`, headOf(head))
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
  const rules = withBreakpoints(await readFile(join(import.meta.dirname, 'ui', 'layout', 'boot.css'), 'utf8'));
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
async function renderParts(): Promise<{ landing: string; text: string; signup: string; boot: string }> {
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
    const { renderLanding, renderText, renderSignup } = (await server.ssrLoadModule('/render-first.tsx')) as {
      renderLanding: () => string;
      renderText: () => string;
      renderSignup: () => string;
    };
    const { renderBoot } = (await server.ssrLoadModule('/render-boot.tsx')) as { renderBoot: () => string };
    return { landing: renderLanding(), text: renderText(), signup: renderSignup(), boot: renderBoot() };
  } finally {
    await server.close();
  }
}
