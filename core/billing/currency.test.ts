import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decimalsOf, isCurrency, majorOf } from './currency.ts';

describe('a currency', () => {
  for (const [code, decimals] of [
    ['USD', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['COP', 2],
    ['LBP', 2],
    ['TWD', 2],
    ['ISK', 0],
    ['JPY', 0],
    ['KRW', 0],
    ['KWD', 3],
    ['TND', 3],
  ] as const)
    it(`${code} has ${decimals} decimals, whatever the runtime shows`, () => {
      assert.equal(isCurrency(code), true);
      assert.equal(decimalsOf(code), decimals);
      assert.equal(majorOf(10 ** decimals, code), 1);
    });

  for (const code of ['ABC', 'XXX', 'XAU', 'usd', ''])
    it(`"${code}" is none`, () => {
      assert.equal(isCurrency(code), false);
      assert.equal(decimalsOf(code), 2);
    });
});
