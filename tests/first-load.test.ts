import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

// Reads the built portal, which `npm test` builds first.
const DIST = join(import.meta.dirname, '..', 'portal', 'dist');
const LIMIT_BYTES = 200 * 1024;

type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>;

const html = readFileSync(join(DIST, 'index.html'), 'utf8');
const files = [...html.matchAll(/\s(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);

/** The entry's script and the scripts it imports at once, as the build recorded them. */
function readEntryScripts(): string[] {
  // Written by the build just now.
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const found = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    assert.ok(chunk, `${name} is missing from the manifest`);
    if (found.has(chunk.file)) return;
    found.add(chunk.file);
    chunk.imports?.forEach(add);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) add(name);
  return [...found];
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

test('the first load of the portal is at most 200 KiB compressed', () => {
  const sizes = ['index.html', ...files].map((file) => ({ file, bytes: gzipSync(readFileSync(join(DIST, file))).length }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  assert.ok(total <= LIMIT_BYTES, `${total} bytes of at most ${LIMIT_BYTES}; largest: ${JSON.stringify(largest)}`);
});

test('the start page is at most 5 KiB compressed, and loads what every page loads and its font', () => {
  const page = readFileSync(join(DIST, 'first-page.html'), 'utf8');
  const named = [...page.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
  assert.deepEqual(named.filter((file) => !file.endsWith('.woff2')).toSorted(), files.toSorted());
  assert.ok(sizeOf('first-page.html') <= 5 * 1024, `${sizeOf('first-page.html')} bytes`);
});

const sizeOf = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length;

test('the script of a website is at most 10 KiB compressed, one file, and loads nothing by itself', () => {
  const script = readFileSync(join(DIST, 'widget.js'), 'utf8');
  assert.ok(sizeOf('widget.js') <= 10 * 1024, `${sizeOf('widget.js')} bytes`);
  assert.doesNotMatch(script, /\bimport\b|\bfetch\(|\beval\(|new Function|innerHTML|cookie/);
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
