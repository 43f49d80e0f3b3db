import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, deriveBrand, deriveMailBrand } from './brand.ts';

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

test('any brand colour becomes readable in both themes', () => {
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

test('a colour too light for text is flagged as changed; a readable one is kept', () => {
  assert.equal(deriveBrand('#ffd400').textMoved, true);
  assert.equal(deriveBrand('#24478f').textMoved, false);
});

test('in a mail, text keeps 4.5:1 and fills 3:1 on white for any colour', () => {
  for (const hex of [...COLOURS, null]) {
    const { text, fill, on } = deriveMailBrand(hex);
    assert.ok(hexContrast(text, '#ffffff') >= 4.5, `${hex} text ${text}`);
    assert.ok(hexContrast(fill, '#ffffff') >= 2.95, `${hex} fill ${fill}`);
    assert.ok(hexContrast(on, fill) >= 4.45, `${hex} on ${on} fill ${fill}`);
  }
  assert.deepEqual(deriveMailBrand('url(evil)'), deriveMailBrand(null), 'an invalid colour counts as none');
  assert.equal(deriveMailBrand('#24478f').fill, '#24478f', 'a readable colour is kept unchanged');
});

/** WCAG contrast computed from the hex alone, independent of the code under test. */
function hexContrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [r = 0, g = 0, bl = 0] = [1, 3, 5].map((at) => {
      const v = parseInt(hex.slice(at, at + 2), 16) / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

type Colour = { l: number; c: number; h: number };

function pick(value: string, theme: 'light' | 'dark'): Colour {
  const found = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)][theme === 'light' ? 0 : 1];
  assert.ok(found);
  return { l: Number(found[1]), c: Number(found[2]), h: Number(found[3]) };
}
