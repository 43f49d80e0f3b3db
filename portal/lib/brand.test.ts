import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, deriveBrand } from './brand.ts';

const COLOURS = [
  '#24478f',
  '#ffd400',
  '#ffffff',
  '#000000',
  '#39ff14',
  '#cc7722',
  '#9c3d2e',
  '#00b7eb',
  '#ff69b4',
  '#808080',
  '#191970',
  '#fffdd0',
];
const SURFACE = { light: { l: 0.998, c: 0.001, h: 205 }, dark: { l: 0.216, c: 0.009, h: 228 } };

test('any colour an agency may give ends readable in both themes', () => {
  for (const hex of COLOURS) {
    const brand = deriveBrand(hex);
    for (const theme of ['light', 'dark'] as const) {
      const [text, fill, on] = [brand.text, brand.fill, brand.on].map((value) => pick(value, theme)) as [Colour, Colour, Colour]; // three in, three out
      assert.ok(contrast(text, SURFACE[theme]) >= 4.45, `${hex} ${theme} text`);
      assert.ok(contrast(fill, SURFACE[theme]) >= 2.95, `${hex} ${theme} fill`);
      assert.ok(contrast(on, fill) >= 4.45, `${hex} ${theme} on fill`);
    }
  }
});

test('a colour too light for words is said to have moved; a readable one is kept', () => {
  assert.equal(deriveBrand('#ffd400').textMoved, true);
  assert.equal(deriveBrand('#24478f').textMoved, false);
});

type Colour = { l: number; c: number; h: number };

function pick(value: string, theme: 'light' | 'dark'): Colour {
  const found = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)][theme === 'light' ? 0 : 1];
  assert.ok(found);
  return { l: Number(found[1]), c: Number(found[2]), h: Number(found[3]) };
}
