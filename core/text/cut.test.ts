import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { beginOf, shortened } from './cut.ts';

const FAMILY = '👨‍👩‍👧‍👦';

describe('a cut', () => {
  for (const [text, max, cut] of [
    ['short', 5, 'short'],
    ['longer', 5, 'longe'],
    [`ab${FAMILY}`, 4, 'ab'],
    [`ab${FAMILY}c`, 2 + FAMILY.length, `ab${FAMILY}`],
    ['Zoe\u0308!', 3, 'Zo'],
    ['🇩🇪🇺🇸', 6, '🇩🇪'],
    ['a\r\nb', 2, 'a'],
  ] as const)
    it(`of ${JSON.stringify(text)} after ${max} units is ${JSON.stringify(cut)}`, () => assert.equal(beginOf(text, max), cut));

  it('ends also within a cluster that has no end', () => {
    assert.equal(beginOf(`a${'\u0301'.repeat(500)}`, 200).length, 200);
  });

  it('never exceeds its length, and is well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 1, max: 60 }), (text, max) => {
        const cut = shortened(text, max);
        assert.ok(cut.length <= max && cut.isWellFormed());
        assert.ok(cut === text || text.startsWith(cut.slice(0, -1)));
      }),
    );
  });
});
