import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countSegments } from './segments.ts';

describe('the number of texts that a message is billed as', () => {
  const rows: [what: string, text: string, segments: number][] = [
    ['160 letters', 'a'.repeat(160), 1],
    ['161 letters', 'a'.repeat(161), 2],
    ['306 letters', 'a'.repeat(306), 2],
    ['307 letters', 'a'.repeat(307), 3],
    ['Spanish, whose signs are in the alphabet', `¡Hola! ¿Ñ? ${'a'.repeat(126)}`, 1],
    ['capitals of Greek that are in it', 'ΔΦΓΛΩΠΨΣΘΞ¤'.repeat(14), 1],
    ['signs that take two places', '{'.repeat(81), 2],
    ['the euro, which takes two', '€'.repeat(80), 1],
    ['a grave accent, which is not in it', `\`${'a'.repeat(100)}`, 2],
    ['a letter that is not in it', `ê${'a'.repeat(69)}`, 1],
    ['emoji, which take two units each', `${'😀'.repeat(10)}${'a'.repeat(60)}`, 2],
    ['emoji that end at the border', `${'😀'.repeat(5)}${'a'.repeat(60)}`, 1],
  ];
  for (const [what, text, segments] of rows) it(`is ${segments}: ${what}`, () => assert.equal(countSegments(text), segments));
});
