import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contrast } from '@partner-portal/core/tenancy/brand.ts';

type Colour = { l: number; c: number; h: number };
type Theme = 'light' | 'dark';

/** The value of a colour token: one colour for both themes, or one for each. */
const TOKENS = new Map(
  [
    ...readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8').matchAll(/--color-([\w-]+):\s*(light-dark\(oklch[^;]+|oklch[^;]+);/g),
  ].map(([, name = '', value = '']) => [name, [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(toColour)] as const),
);

function toColour([, l, c, h]: RegExpMatchArray): Colour {
  return { l: Number(l), c: Number(c), h: Number(h) };
}

function token(name: string, theme: Theme): Colour {
  const both = TOKENS.get(name) ?? [];
  const found = theme === 'light' ? both[0] : both.at(-1);
  assert.ok(found, `no colour is called ${name}`);
  return found;
}

const GROUNDS = ['canvas', 'surface', 'sunken', 'raised', 'hover'];
const TEXTS = ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'bad', 'warn'];

for (const theme of ['light', 'dark'] as const) {
  test(`text is readable on every background, ${theme}`, () => {
    for (const text of TEXTS)
      for (const ground of GROUNDS)
        assert.ok(
          contrast(token(text, theme), token(ground, theme)) >= 4.5,
          `${text} on ${ground}: ${contrast(token(text, theme), token(ground, theme))}`,
        );
  });

  test(`disabled text is readable on every background and fainter than all other text, ${theme}`, () => {
    for (const ground of GROUNDS) {
      const off = contrast(token('ink-off', theme), token(ground, theme));
      assert.ok(off >= 3.3, `ink-off on ${ground}: ${off}`);
      assert.ok(off * 1.3 < contrast(token('ink-3', theme), token(ground, theme)), `ink-off beside ink-3 on ${ground}: ${off}`);
    }
  });
}

test('a breakpoint is a token: stylesheets name it, scripts repeat it', () => {
  const portal = join(import.meta.dirname, '..', '..');
  const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
  const widths = [...tokens.matchAll(/--breakpoint-\w+: (\d+)px;/g)].map(([, pixels]) => Number(pixels));
  const written = globSync('{app,features,landing,shared,ui}/**/*.{css,ts,tsx}', { cwd: portal }).flatMap((file) =>
    [
      ...readFileSync(join(portal, file), 'utf8').matchAll(/\((?:min-width: |width >=? )(\d+)px\)|\((?:max-width: |width <=? )(\d+)px\)/g),
    ].map(([query, from, until]) => ({ file, query, isToken: widths.includes(from === undefined ? Number(until) + 1 : Number(from)) })),
  );
  const scripts = written.filter(({ file }) => !file.endsWith('.css'));
  assert.ok(scripts.length > 2);
  assert.deepEqual(
    written.filter(({ file, isToken }) => isToken === file.endsWith('.css')),
    [],
  );
});
