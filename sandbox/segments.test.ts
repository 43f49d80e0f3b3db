import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countSegments } from './segments.ts';

const CASES: [what: string, text: string, segments: number][] = [
  ['nothing', '', 1],
  ['160 letters', 'a'.repeat(160), 1],
  ['161 letters', 'a'.repeat(161), 2],
  ['306 letters', 'a'.repeat(306), 2],
  ['307 letters', 'a'.repeat(307), 3],
  ['umlauts of the alphabet', 'äöüßÄÖÜñé'.repeat(17), 1],
  ['80 signs of the extension table, which take two places', '€'.repeat(80), 1],
  ['81 signs of the extension table', '€'.repeat(81), 2],
  ['a sign of the extension table that would be split', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['a back-tick, which the alphabet lacks', `${'a'.repeat(70)}\``, 2],
  ['a typographic quote', `${'a'.repeat(69)}’`, 1],
  ['70 letters of another alphabet', 'ж'.repeat(70), 1],
  ['71 letters of another alphabet', 'ж'.repeat(71), 2],
  ['35 emoji, two units each', '🦷'.repeat(35), 1],
  ['an emoji that would be split', `ж${'🦷'.repeat(66)}`, 2],
  ['one more', `ж${'🦷'.repeat(67)}`, 3],
  ['ç, which only its capital has', 'ç'.repeat(71), 2],
];

describe('the segments of a text', () => {
  for (const [what, text, segments] of CASES) it(`are ${segments} for ${what}`, () => assert.equal(countSegments(text), segments));
});
