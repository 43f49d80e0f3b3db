import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { divideHalfEven, formatMoney, lineAmount, taxOn } from './money.ts';

describe('rounding', () => {
  for (const [numerator, denominator, result] of [
    [5n, 2n, 2],
    [7n, 2n, 4],
    [-5n, 2n, -2],
    [-7n, 2n, -4],
    [1n, 3n, 0],
    [2n, 3n, 1],
    [-2n, 3n, -1],
    [0n, 7n, 0],
    [9_007_199_254_740_993n * 3n, 9_007_199_254_740_993n, 3],
  ] as const)
    it(`of ${numerator} / ${denominator} is ${result}`, () => assert.equal(divideHalfEven(numerator, denominator), result));

  it('is off by at most a half, to the even side when exactly a half, and the same for credits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.bigInt(1n, 10_000n), (numerator, denominator) => {
        const rounded = BigInt(divideHalfEven(numerator, denominator));
        const twiceOff = (rounded * denominator - numerator) * 2n;
        assert.ok(twiceOff <= denominator && twiceOff >= -denominator);
        if (twiceOff === denominator || twiceOff === -denominator) assert.equal(rounded % 2n, 0n);
        assert.equal(BigInt(divideHalfEven(-numerator, denominator)), -rounded);
      }),
    );
  });
});

describe('a line', () => {
  for (const [quantity, unitPrice, share, amount] of [
    [2, 1_500, undefined, 3_000],
    [2, 1_500, { days: 10, of: 31 }, 968],
    [1, 1, { days: 1, of: 2 }, 0],
    [3, 1, { days: 1, of: 2 }, 2],
    [1, -1_500, { days: 10, of: 31 }, -484],
    [10_000, 1_000_000_000, { days: 30, of: 31 }, 9_677_419_354_839],
  ] as const)
    it(`of ${quantity} × ${unitPrice} for ${share ? `${share.days} of ${share.of} days` : 'the whole period'} is ${amount}`, () =>
      assert.equal(lineAmount(quantity, unitPrice, share), amount));

  it('rounds once: a credit takes back exactly what the same share charged', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 1, max: 31 }),
        (quantity, price, a, b) => {
          const share = { days: Math.min(a, b), of: Math.max(a, b) };
          assert.equal(lineAmount(quantity, price, share) + lineAmount(quantity, -price, share), 0);
          assert.ok(lineAmount(quantity, price, share) <= lineAmount(quantity, price));
        },
      ),
    );
  });
});

describe('tax', () => {
  for (const [subtotal, rate, tax] of [
    [10_000, 1_900, 1_900],
    [10_000, 0, 0],
    [50, 100, 0],
    [150, 100, 2],
    [-10_000, 1_900, -1_900],
    [333, 775, 26],
  ] as const)
    it(`on ${subtotal} at ${rate / 100} % is ${tax}`, () => assert.equal(taxOn(subtotal, rate), tax));
});

describe('an amount in words', () => {
  for (const [amount, currency, locale, text] of [
    [2_900, 'USD', 'en-US', '$29.00'],
    [-2_950, 'USD', 'en-US', '-$29.50'],
    [2_900, 'JPY', 'en-US', '¥2,900'],
    [2_900, 'KWD', 'en-US', 'KWD\u00a02.900'],
    [990_000, 'HUF', 'en-US', 'HUF\u00a09,900.00'],
    [1_500_050, 'IDR', 'en-US', 'IDR\u00a015,000.50'],
    [123_456, 'EUR', 'de-DE', '1.234,56\u00a0€'],
  ] as const)
    it(`has the currency's decimals: ${text}`, () => assert.equal(formatMoney(amount, currency, locale), text));
});
