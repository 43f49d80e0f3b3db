import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chooseRate } from './rates.ts';

it('the newest version of a model’s own rate counts, else that for any model', () => {
  const rates = [
    { model: '*', version: 1 },
    { model: '*', version: 3 },
    { model: 'big', version: 2 },
    { model: 'big', version: 1 },
  ];
  assert.deepEqual([chooseRate(rates, 'big'), chooseRate(rates, 'small'), chooseRate([], 'big')], [rates[2], rates[1], undefined]);
});
