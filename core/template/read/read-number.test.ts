import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../types.ts';
import { readMoney, readNumber } from './read-number.ts';
import type { ReadingClient } from './reading.ts';

const US: ReadingClient = { timezone: 'America/Chicago', countries: ['US'], locale: 'en' };
const DE: ReadingClient = { timezone: 'Europe/Berlin', countries: ['DE'], locale: 'de' };
const DE_EN: ReadingClient = { ...DE, locale: 'en' };
const US_DE: ReadingClient = { ...US, locale: 'de' };
const CH: ReadingClient = { timezone: 'Europe/Zurich', countries: ['CH'], locale: 'de' };
const MX: ReadingClient = { timezone: 'America/Mexico_City', countries: ['MX'], locale: 'es' };
const IN: ReadingClient = { timezone: 'Asia/Kolkata', countries: ['IN'], locale: 'en' };
const NOWHERE: ReadingClient = { timezone: 'UTC', countries: [], locale: 'en' };

const understood: [came: Json, number: Json, money: string, client?: ReadingClient][] = [
  [5, 5, '5'],
  [-12.5, -12.5, '-12.5'],
  [-0, 0, '0'],
  ['5', 5, '5'],
  ['٤٢', 42, '42'],
  ['१२.५', 12.5, '12.5'],
  ['007', 7, '7'],
  ['1.50', 1.5, '1.50'],
  ['.5', 0.5, '0.5'],
  ['5.', 5, '5'],
  ['0,5', 0.5, '0.5'],
  ['$1,234.50', 1234.5, '1234.50'],
  ['1.234,50', 1234.5, '1234.50', DE],
  ['1.234,50', 1234.5, '1234.50', US],
  ['1,234.50', 1234.5, '1234.50', DE],
  ['12.000 €', 12_000, '12000', DE],
  ['12.000 €', 12_000, '12000', DE_EN],
  ['12,000', 12_000, '12000', US],
  ['12,000', 12, '12.0000', DE],
  ['12,000', 12_000, '12000', MX],
  ['12.345', 12.345, '12.3450', US],
  ['12.345', 12_345, '12345', DE],
  ["1'234.50", 1234.5, '1234.50', CH],
  ['1’234.50', 1234.5, '1234.50', CH],
  ['1\u202f234,50 €', 1234.5, '1234.50', DE],
  ['1 234 567', 1_234_567, '1234567'],
  ['1,23,456.78', 123_456.78, '123456.78', IN],
  ['1.234.567', 1_234_567, '1234567', US],
  ['1234567.891', 1_234_567.891, '1234567.891', DE],
  ['12,-', 12, '12', DE],
  ['(12.50)', -12.5, '-12.50'],
  ['\u221212.5', -12.5, '-12.5'],
  ['12.5-', -12.5, '-12.5'],
  ['-$5', -5, '-5'],
  ['$-5', -5, '-5'],
  ['USD 12', 12, '12'],
  ['12 EUR', 12, '12', DE],
  ['A$5.00', 5, '5.00'],
  ['Fr. 12.50', 12.5, '12.50', CH],
  ['１２', 12, '12'],
  [['5'], 5, '5'],
  // A double does not hold them.
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['0.1234567890123456789', '0.1234567890123456789', '0.1234567890123456789'],
  ['9.007.199.254.740.993,25', '9007199254740993.25', '9007199254740993.25', DE],
];
const refused: [came: Json, client?: ReadingClient][] = [
  ...['', 'abc', '12 apples', '1.2.3', '1,2,3', '1,2345.6', '4/5', '5%', '1e400', '1e-400', '-', '.', '5 6', 'NaN', 'Infinity', '0x10'].map(
    (one): [Json] => [one],
  ),
  ...[true, null, {}, [], ['1', '2'], '1'.repeat(61)].map((one): [Json] => [one]),
  ['12,000', NOWHERE],
  ['12.000', US_DE],
  ['12.000 €', US],
];

describe('a number and an amount of money', () => {
  for (const [came, number, money, client = US] of understood)
    it(`${JSON.stringify(came)} is ${JSON.stringify(number)} and ${money} in ${client.locale}-${client.countries.join()}`, () => {
      assert.deepEqual(readNumber(came, client), { value: number });
      assert.deepEqual(readMoney(came, client), { value: money });
    });
  for (const [came, client = US] of refused)
    it(`${JSON.stringify(came)} is none in ${client.locale}-${client.countries.join()}`, () => {
      assert.ok('problem' in readNumber(came, client));
      assert.ok('problem' in readMoney(came, client));
    });

  it('with an exponent is a number that a double holds, and never money', () => {
    assert.deepEqual(readNumber('1.5e3', US), { value: 1500 });
    assert.ok('problem' in readMoney('1.5e3', US));
    assert.ok('problem' in readMoney(1e21, US));
  });
});

describe('a whole number from 1 on', () => {
  const needs = { integer: true, min: 1 } as const;
  it('is one that a double holds', () => {
    for (const [came, value] of [
      ['1207', 1207],
      [1, 1],
      [9_007_199_254_740_991, 9_007_199_254_740_991],
    ] as const)
      assert.deepEqual(readNumber(came, US, needs), { value });
  });
  it('is no fraction, none below, none that is too large', () => {
    for (const came of [0, -1, 1.5, '1.5', 5e-324, 1e21, '9007199254740993', '1e300'])
      assert.deepEqual(readNumber(came, US, needs), { problem: 'is not a whole number from 1 on' }, String(came));
    assert.deepEqual(readNumber('x', US, needs), { problem: 'is not a number' });
  });
});
