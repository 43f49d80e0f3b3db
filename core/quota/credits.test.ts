import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aiCostMinor, aiCredits, estimateTokens, mostTokens } from './credits.ts';

const tokens = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens });

describe('AI credits', () => {
  it('are one per started thousand tokens at the first published rate, of both kinds together', () => {
    const rate = { inputCredits: 1, outputCredits: 1 };
    assert.deepEqual(
      [tokens(0), tokens(1), tokens(1000), tokens(1000, 1), tokens(500, 500), tokens(2500, 2500)].map((usage) => aiCredits(usage, rate)),
      [0, 1, 1, 2, 1, 5],
    );
  });

  it('follow the rate of each kind, rounded up once, without an error of fractions', () => {
    assert.equal(aiCredits(tokens(1000, 1000), { inputCredits: 0.1, outputCredits: 0.2 }), 1);
    assert.equal(aiCredits(tokens(10_000, 10_000), { inputCredits: 0.1, outputCredits: 0.2 }), 3);
    assert.equal(aiCredits(tokens(7_000), { inputCredits: 0.7, outputCredits: 5 }), 5);
    assert.equal(aiCredits(tokens(7_001), { inputCredits: 0.7, outputCredits: 5 }), 5);
    assert.equal(aiCredits(tokens(10_000, 1), { inputCredits: 0.7, outputCredits: 5 }), 8);
    assert.equal(aiCredits(tokens(5_000, 5_000), { inputCredits: 0, outputCredits: 0 }), 0);
  });

  it('are bounded, also for absurd reports', () => {
    assert.equal(aiCredits(tokens(9e15), { inputCredits: 1, outputCredits: 1 }), 100_000);
  });
});

it('the cost of tokens keeps four decimals of a minor unit', () => {
  assert.equal(aiCostMinor(tokens(1234, 567), { inputCostMinor: 0.04, outputCostMinor: 0.16 }), 0.1401);
});

it('tokens are estimated from ASCII characters by four, and from others one by one', () => {
  assert.deepEqual([[], [''], ['abcd'], ['abcde'], ['日本語'], ['ab\ncd ef', '😀']].map(estimateTokens), [0, 4, 5, 6, 7, 12]);
});

it('texts have at most as many tokens as bytes', () => {
  assert.deepEqual([[], [''], ['abcd'], ['&&&&'], ['日本語'], ['ab', '😀']].map(mostTokens), [0, 4, 8, 8, 13, 14]);
});
