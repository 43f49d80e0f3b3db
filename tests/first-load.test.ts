import { createHash } from 'node:crypto';
import { newestWidget, WIDGET_DIGESTS } from '@partner-portal/core/conversation/widget-versions.ts';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

// Reads the built portal, which `npm test` builds first.
const DIST = join(import.meta.dirname, '..', 'portal', 'dist');
const LOGIN_SCRIPT_BYTES = 102_000;
const LANDING_BYTES = 25_000;
const PICTURE_BYTES = 80_000;
const PHONE_PICTURE_BYTES = 32_000;
const LOGIN_BYTES = 110_000;
const SIGNUP_BYTES = 125_000;
const PASSWORD_BYTES = 100_000;
const OVERVIEW_BYTES = 270_000;
const OVERVIEW_FILES = 20;
const PAGE_BYTES = 330_000;
const PAGE_FILES = 25;

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

/** Returns the static imports of a script, direct and transitive. */
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

test('every page asks for its font before it reads its styles; the scripts come first where they write all words', () => {
  for (const name of ['index.html', 'first-page.html', 'first-text.html', 'first-signup.html']) {
    const page = contentsOf(name);
    const link =
      /<link rel="preload" href="\/assets\/hanken-grotesk[^"]+\.woff2" as="font" type="font\/woff2" crossorigin( fetchpriority="low")? \/>/;
    const found = link.exec(page) ?? assert.fail(name);
    assert.ok(found.index < page.indexOf('</head>'), name);
    assert.equal(found[1] !== undefined, name === 'index.html', name);
  }
});

/** Scripts of each page beyond those of index.html, as the service names them in it. Written by the build just now. */
const pages = JSON.parse(readFileSync(join(DIST, 'pages.json'), 'utf8')) as { path: string; files: string[]; sheet?: string }[];

const sheetOf = (path: string): string | undefined => pages.find((page) => page.path === path)?.sheet;

/** All that a page loads before it asks for data, fonts excluded. */
function loadedBy(path: string): string[] {
  const sheet = sheetOf(path);
  const named = files.filter((file) => !file.endsWith('.woff2') && !(sheet && file.endsWith('.css')));
  return ['index.html', ...named, ...(sheet ? [sheet] : []), ...scriptsOf(path)];
}

const scriptsOf = (path: string): string[] => [
  ...readEntryScripts(),
  ...(pages.find((page) => page.path === path)?.files ?? assert.fail(`${path} is no page`)),
];

/** Scripts that hold the marker of the library. */
const SCHEMA_FILES = new Set(
  Object.values(manifest).flatMap(({ file }) => (file.endsWith('.js') && contentsOf(file).includes('invalid_type') ? [file] : [])),
);

test('the login loads at most 102 KB of script compressed, and 15 files in all', () => {
  const scripts = scriptsOf('/login');
  assertAtMost(scripts, LOGIN_SCRIPT_BYTES);
  // The page itself, its texts and second font, and the worker that makes formatters.
  const others = files.filter((file) => !file.endsWith('.js') || file === 'theme.js').length + 1 + 1 + 1 + 1;
  assert.ok(scripts.length + others <= 15, `${scripts.length} scripts and ${others} other files`);
  // Markers of the router, of the menus and dialogs, and of the schemas.
  for (const part of ['routeTree', 'data-radix', 'invalid_type'])
    for (const file of scripts) assert.ok(!contentsOf(file).includes(part), `${file} holds ${part}`);
});

test(`every page loads at most ${PAGE_BYTES / 1000} KB compressed, fonts excluded, before it asks for data, in at most ${PAGE_FILES} files`, () => {
  for (const { path } of pages) {
    const loaded = loadedBy(path);
    assertAtMost(loaded, PAGE_BYTES, path);
    assert.ok(new Set(loaded).size <= PAGE_FILES, `${path}: ${new Set(loaded).size} files`);
  }
});

test('no page loads the library of schemas before it asks for data', () => {
  for (const { path } of pages) for (const file of scriptsOf(path)) assert.ok(!SCHEMA_FILES.has(file), `${path} loads ${file}`);
  assert.ok(SCHEMA_FILES.size > 0);
});

test(`the overview of an agency loads at most ${OVERVIEW_BYTES / 1000} KB compressed, fonts excluded, in at most ${OVERVIEW_FILES} files, and none of what it may open`, () => {
  const loaded = loadedBy('/dashboard');
  assertAtMost(loaded, OVERVIEW_BYTES, '/dashboard');
  assert.ok(new Set(loaded).size <= OVERVIEW_FILES, `${new Set(loaded).size} files`);
  for (const part of ['For which clients', 'Invite to the client portal', 'Single-letter keys'])
    for (const file of scriptsOf('/dashboard')) assert.ok(!contentsOf(file).includes(part), `${file} holds “${part}”`);
});

for (const [path, limit] of [
  ['/login', LOGIN_BYTES],
  ['/signup', SIGNUP_BYTES],
] as const)
  test(`${path} loads at most ${limit / 1000} KB compressed with its styles, fonts excluded`, () => {
    assert.match(sheetOf(path) ?? '', /^assets\/first-[\w-]+\.css$/);
    assertAtMost(loadedBy(path), limit, path);
  });

test('the lists and a run load nothing of the large features of other pages', () => {
  const parts = {
    'a chatbot': 'We could not read any text in it',
    'a report': 'report-headline',
    'an export of an account': '.createExport(',
  };
  for (const path of ['/dashboard/agents', '/dashboard/clients', '/dashboard/runs', '/dashboard/runs/:id'])
    for (const [name, text] of Object.entries(parts))
      for (const file of scriptsOf(path)) assert.ok(!contentsOf(file).includes(text), `${path}: ${file} holds ${name}`);
});

test('the login and the application know the routes that they call', () => {
  const scripts = scriptsOf('/signup').map(contentsOf).join('');
  for (const path of ['/auth/login', '/auth/mfa/verify', '/auth/register', '/auth/register-trial', '/plans'])
    assert.match(scripts, new RegExp(`["'\`]${path}[/"'\`]`), path);
});

test('the rules of passwords, which a form loads when someone types one, are less than 100 KB before compression', () => {
  const [file = ''] = readdirSync(join(DIST, 'assets')).filter((name) => /^password-[\w-]+\.js$/.test(name));
  assert.ok(readFileSync(join(DIST, 'assets', file)).length < PASSWORD_BYTES);
});

test('every file that a page names exists, with all its static imports', () => {
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
  // Text, images and SVG count as content, boxes do not: with the icons a browser's first contentful paint is that of the shape.
  for (const face of ['work', 'client'])
    assert.match(html, new RegExp(`data-face="${face}"(?:(?!data-face).)*<svg`, 's'), `the shape of ${face} has no content`);
  assert.match(html, /<noscript><p>The portal needs JavaScript\./);
  for (const name of ['first-page.html', 'first-text.html'])
    assert.doesNotMatch(contentsOf(name), /<noscript>/, 'it is whole without a script');
  assert.match(contentsOf('first-signup.html'), /<noscript><p>The portal needs JavaScript\./, 'an application needs one to be sent');
});

const namedIn = (name: string): string[] =>
  [...contentsOf(name).matchAll(/<(?:script|link)[^>]*\s(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);

test('first-signup.html is at most 5 KiB compressed, and names what every page loads, with a part of the stylesheet', () => {
  const isSheet = (file: string): boolean => file.endsWith('.css');
  const named = namedIn('first-signup.html');
  assert.deepEqual(named.filter((file) => !isSheet(file)).toSorted(), files.filter((file) => !isSheet(file)).toSorted());
  assert.deepEqual(named.filter(isSheet), [sheetOf('/signup')]);
  assert.ok(sizeOf('first-signup.html') <= 5 * 1024, `${sizeOf('first-signup.html')} bytes`);
});

for (const name of ['first-page.html', 'first-text.html'])
  test(`${name} loads at most ${LANDING_BYTES / 1000} KB compressed with its styles, fonts and pictures excluded, and nothing of the portal`, () => {
    const named = namedIn(name).filter((file) => !file.endsWith('.woff2'));
    assertAtMost([name, ...named], LANDING_BYTES, name);
    const others = named.filter((file) => /\.(?:js|css)$/.test(file) && file !== 'theme.js');
    assert.deepEqual(new Set(others.map((file) => /^assets\/landing-[\w-]+\.(js|css)$/.exec(file)?.[1])), new Set(['css', 'js']));
    assert.equal(others.length, 2);
    for (const file of others) assert.doesNotMatch(contentsOf(file), /\bimport\(|\bimport["'`]|@import/, 'no further file');
    const pictures = [...contentsOf(name).matchAll(/\/(assets\/[\w-]+\.(?:avif|webp))/g)].map(([, file = '']) => file);
    for (const picture of pictures)
      assert.ok(readFileSync(join(DIST, picture)).length <= (picture.includes('-small-') ? PHONE_PICTURE_BYTES : PICTURE_BYTES), picture);
    assert.equal(pictures.filter((picture) => picture.includes('-small-')).length, name === 'first-page.html' ? 16 : 0);
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
