import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aiCredits } from './credits.ts';

describe('AI credits', () => {
  it('are one per started thousand tokens on a platform key, and none otherwise', () => {
    const tokens = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens });
    assert.deepEqual(
      [tokens(0), tokens(1), tokens(1000), tokens(1000, 1), tokens(2500, 2500)].map((usage) => aiCredits(usage, true)),
      [0, 1, 1, 2, 5],
    );
    assert.equal(aiCredits(tokens(5000), false), 0);
    assert.equal(aiCredits(null, true), 0);
    assert.equal(aiCredits(tokens(9e15), true), 100_000);
  });
});
