import { createHash } from 'node:crypto';
import { newestWidget, WIDGET_DIGESTS } from '@partner-portal/core/conversation/widget-versions.ts';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

// Reads the built portal, which `npm test` builds first.
const DIST = join(import.meta.dirname, '..', 'portal', 'dist');
const LOGIN_SCRIPT_BYTES = 120_000;
const PAGE_BYTES = 350 * 1024;
const PAGE_FILES = 35;

type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>;

const html = readFileSync(join(DIST, 'index.html'), 'utf8');
const files = [...html.matchAll(/\s(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);

// Written by the build just now.
const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8')) as Manifest;

/** The entry's script and the scripts it imports at once, as the build recorded them. */
function readEntryScripts(): string[] {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry) ?? assert.fail('there is no entry');
  return [entry.file, ...importsOf(entry.file)];
}

/** What a script imports at once, directly or not. */
function importsOf(file: string): string[] {
  const found = new Set<string>();
  const add = (one: string): void => {
    for (const name of Object.values(manifest).find((chunk) => chunk.file === one)?.imports ?? []) {
      const imported = manifest[name]?.file ?? assert.fail(`${name} is missing from the manifest`);
      if (found.has(imported)) continue;
      found.add(imported);
      add(imported);
    }
  };
  add(file);
  return [...found];
}

function contentsOf(file: string): string {
  return readFileSync(join(DIST, file), 'utf8');
}

function assertAtMost(names: readonly string[], limit: number, what = ''): void {
  const sizes = [...new Set(names)].map((file) => ({ file, bytes: sizeOf(file) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 6);
  assert.ok(total <= limit, `${what} ${total} bytes of at most ${limit}; largest: ${JSON.stringify(largest)}`);
}

test('index.html names the styles and every script that the entry needs at once', () => {
  const needed = readEntryScripts();
  assert.ok(needed.length > 0);
  assert.deepEqual(
    needed.filter((file) => !files.includes(file)),
    [],
  );
  assert.ok(files.some((file) => /^assets\/.+\.css$/.test(file)));
});

test('every page asks for its font before it reads its styles', () => {
  for (const name of ['index.html', 'first-page.html', 'first-signup.html']) {
    const page = contentsOf(name);
    const font = page.search(
      /<link rel="preload" href="\/assets\/hanken-grotesk[^"]+\.woff2" as="font" type="font\/woff2" crossorigin \/>/,
    );
    assert.ok(font > 0 && font < page.indexOf('</head>'), name);
  }
});

/** Scripts of each page beyond those of index.html, as the service names them in it. Written by the build just now. */
const pages = JSON.parse(readFileSync(join(DIST, 'pages.json'), 'utf8')) as { path: string; files: string[] }[];

const scriptsOf = (path: string): string[] => [
  ...readEntryScripts(),
  ...(pages.find((page) => page.path === path)?.files ?? assert.fail(`${path} is no page`)),
];

test('the login loads at most 120 KB of script compressed, and 15 files in all', () => {
  const scripts = scriptsOf('/login');
  assertAtMost(scripts, LOGIN_SCRIPT_BYTES);
  // The page itself, its texts and second font, and the worker that makes formatters.
  const others = files.filter((file) => !file.endsWith('.js') || file === 'theme.js').length + 1 + 1 + 1 + 1;
  assert.ok(scripts.length + others <= 15, `${scripts.length} scripts and ${others} other files`);
  // Of the router, the menus and dialogs, the schemas.
  for (const part of ['routeTree', 'data-radix', 'invalid_type'])
    for (const file of scripts) assert.ok(!contentsOf(file).includes(part), `${file} holds ${part}`);
});

test('every page loads at most 350 KiB compressed beside its font before it asks for data, in at most 35 files', () => {
  for (const { path } of pages) {
    const loaded = ['index.html', ...files.filter((file) => !file.endsWith('.woff2')), ...scriptsOf(path)];
    assertAtMost(loaded, PAGE_BYTES, path);
    assert.ok(new Set(loaded).size <= PAGE_FILES, `${path}: ${new Set(loaded).size} files`);
  }
});

test('what a page names is there, with everything it imports at once', () => {
  for (const { path } of pages) {
    const named = new Set(scriptsOf(path));
    for (const file of named) {
      assert.ok(existsSync(join(DIST, file)), `${path} names ${file}`);
      for (const imported of importsOf(file)) assert.ok(named.has(imported), `${path} finds ${imported} only in ${file}`);
    }
  }
  assert.ok(pages.length > 50);
});

test('every script that a page names asks to be compiled while it arrives', () => {
  for (const { path } of pages)
    for (const file of scriptsOf(path))
      if (!file.includes('rolldown-runtime')) assert.ok(contentsOf(file).startsWith('//# allFunctionsCalledOnLoad\n'), `${path}: ${file}`);
});

test('scripts and styles are there compressed, as they are', () => {
  const assets = readdirSync(join(DIST, 'assets')).filter((name) => /\.(?:js|css)$/.test(name));
  assert.ok(assets.length > 50);
  for (const name of assets) {
    const bytes = readFileSync(join(DIST, 'assets', name));
    if (bytes.length < 1024) continue;
    const beside = (ending: string): Buffer => readFileSync(join(DIST, 'assets', `${name}.${ending}`));
    assert.ok(brotliDecompressSync(beside('br')).equals(bytes) && gunzipSync(beside('gz')).equals(bytes), name);
  }
});

test('a chart is drawn by at most 14 KB of script of its own', () => {
  const plots = Object.entries(manifest).filter(([name]) => /charts\/[a-z]+-plot\.tsx$/.test(name));
  assert.equal(plots.length, 3);
  for (const [name, { file }] of plots) {
    const shared = new Set(scriptsOf('/dashboard'));
    assertAtMost(
      [file, ...importsOf(file)].filter((one) => !shared.has(one)),
      14_000,
      name,
    );
  }
});

test('pages have a description, a shape that needs no script, and the stylesheet behind it', () => {
  assert.match(html, /<meta name="description" content="[^"]{50,160}" \/>/);
  const [shape, sheet] = [html.indexOf('id="boot"'), html.search(/<link rel="stylesheet"/)];
  assert.ok(shape > 0 && sheet > shape, 'it would hold up the shape');
  assert.match(html, /<style>[^<]*\.boot\{/);
  assert.match(html, /<noscript><p>The portal needs JavaScript\./);
  assert.doesNotMatch(contentsOf('first-page.html'), /<noscript>/, 'the landing page is whole without a script');
  assert.match(contentsOf('first-signup.html'), /<noscript><p>The portal needs JavaScript\./, 'an application needs one to be sent');
});

for (const name of ['first-page.html', 'first-signup.html'])
  test(`${name} is at most 5 KiB compressed, and names what every page loads and its font`, () => {
    const named = [...contentsOf(name).matchAll(/<(?:script|link)[^>]*\s(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
    assert.deepEqual(named.toSorted(), files.toSorted());
    assert.ok(sizeOf(name) <= 5 * 1024, `${sizeOf(name)} bytes`);
  });

const sizeOf = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length;

test('the script of a website is at most 10 KiB compressed, one file, and loads nothing by itself', () => {
  const script = readFileSync(join(DIST, 'widget.js'), 'utf8');
  assert.ok(sizeOf('widget.js') <= 10 * 1024, `${sizeOf('widget.js')} bytes`);
  assert.doesNotMatch(script, /\bimport\b|\bfetch\(|\beval\(|new Function|innerHTML|cookie/);
});

test('the script of a website is kept in the versions that websites name by their digest: none has changed, and the newest is the built one', () => {
  const read = (path: string): Buffer => readFileSync(join(DIST, path));
  for (const [at, digest] of WIDGET_DIGESTS.entries())
    assert.equal(
      `sha384-${createHash('sha384')
        .update(read(`widget/${at + 1}.js`))
        .digest('base64')}`,
      digest,
      `version ${at + 1}`,
    );
  assert.ok(read('widget.js').equals(read(newestWidget().path)), 'npm run build, then node scripts/keep-widget.ts');
});

test('the chat page is at most 60 KiB compressed, and names every file it loads', () => {
  const page = readFileSync(join(DIST, 'chat', 'index.html'), 'utf8');
  const loaded = [...page.matchAll(/\s(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
  assert.equal(loaded.length, 2, 'a script and a stylesheet');
  const texts = loaded.map((file) => readFileSync(join(DIST, file), 'utf8'));
  for (const text of texts) assert.doesNotMatch(text, /\bimport\(|\bimport["'`]|@import|url\(/, 'no further file');
  const total = ['chat/index.html', ...loaded].reduce((sum, file) => sum + sizeOf(file), 0);
  assert.ok(total <= 60 * 1024, `${total} bytes`);
});
