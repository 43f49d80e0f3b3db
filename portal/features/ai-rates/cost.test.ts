import assert from 'node:assert/strict';
import { it } from 'node:test';
import { costOf, minorPerThousand, perMillion, sumOf } from './cost.ts';

it('costs are typed for a million tokens and stored for a thousand, and both are the same amount', () => {
  assert.deepEqual(
    [minorPerThousand('0.40', 'USD'), minorPerThousand('25', 'USD'), minorPerThousand('', 'USD'), minorPerThousand('60', 'JPY')],
    [0.04, 2.5, 0, 0.06],
  );
  for (const typed of ['0.4', '1.6', '12.5', '0.25']) assert.equal(perMillion(minorPerThousand(typed, 'USD'), 'USD'), Number(typed));
  assert.deepEqual([costOf(0.04, 'USD'), costOf(2.5, 'USD')], ['$0.4', '$25']);
});

it('sums below one unit have four decimals, also where the last ones are zero', () => {
  assert.deepEqual(
    [sumOf(0.42, 'USD'), sumOf(5.9, 'USD'), sumOf(41.86, 'USD'), sumOf(4186, 'USD'), sumOf(0, 'USD')],
    ['$0.0042', '$0.0590', '$0.4186', '$41.86', '$0.00'],
  );
});

it('sums have the decimals of their currency', () => {
  assert.deepEqual(
    [sumOf(1_200, 'JPY'), sumOf(1_255, 'KWD').replace(/\s/, ' '), sumOf(0, 'JPY'), sumOf(0.42, 'JPY')],
    ['¥1,200', 'KWD 1.255', '¥0', '¥0.4200'],
  );
});
