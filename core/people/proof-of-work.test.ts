import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bitsAfter, hasZeroBits } from './proof-of-work.ts';

describe('a proof of work', () => {
  it('counts the zero bits that a hash begins with', () => {
    for (const [hash, zeroBits] of [
      [[0b1000_0000], 0],
      [[0b0001_1111], 3],
      [[0, 0b0000_0001], 15],
      [[0, 0, 0b0100_0000], 17],
    ] as const) {
      assert.equal(hasZeroBits(Uint8Array.from(hash), zeroBits), true, `${hash.join()} has ${zeroBits}`);
      assert.equal(hasZeroBits(Uint8Array.from(hash), zeroBits + 1), false, `${hash.join()} has no ${zeroBits + 1}`);
    }
  });

  it('is more work the more of them were used', () => {
    assert.deepEqual([0, 11, 12, 36, 59].map(bitsAfter), [16, 16, 17, 19, 20]);
  });
});
