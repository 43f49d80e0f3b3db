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
