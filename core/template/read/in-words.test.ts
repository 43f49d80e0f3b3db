import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locale } from '@partner-portal/contract/locales.ts';
import type { InputType, Json } from '../types.ts';
import { valueInWords } from './in-words.ts';

const rows: [InputType, Json, Locale, string | null][] = [
  ['datetime', '2027-01-05T15:30:00Z', 'en', 'Tue 5 Jan 2027, 9:30 in Chicago'],
  ['datetime', '2027-01-05T15:30:00Z', 'de', 'Di. 5. Jan. 2027, 9:30 in Chicago'],
  ['datetime', '2027-01-05T09:30:00-06:00', 'es', 'mar 5 ene 2027, 9:30 en Chicago'],
  ['datetime', '2027-01-05T06:00:00Z', 'en', 'Tue 5 Jan 2027, 0:00 in Chicago'],
  ['phone', '+13125550121', 'en', '+1 312 555 0121'],
  ['boolean', true, 'de', 'ja'],
  ['boolean', false, 'en', 'no'],
  ['number', 12_000.5, 'de', '12.000,5'],
  ['number', '9007199254740993.25', 'en', '9,007,199,254,740,993.25'],
  ['money', '1234.50', 'es', '1234,5'],
  ['email', 'ada@example.com', 'en', 'ada@example.com'],
  ['text', 'x'.repeat(300), 'en', `${'x'.repeat(199)}…`],
  ['object', { a: 1 }, 'en', null],
  ['phone', null, 'en', null],
];

describe('a value as a person reads it', () => {
  for (const [type, value, locale, text] of rows)
    it(`${type} ${JSON.stringify(value).slice(0, 40)} is ${text?.slice(0, 40) ?? 'nothing'} in ${locale}`, () =>
      assert.equal(valueInWords(type, value, { locale, timezone: 'America/Chicago' }), text));
});
