import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../types.ts';
import { readPhone } from './read-phone.ts';
import type { ReadingClient } from './reading.ts';

const of = (...countries: string[]): ReadingClient => ({ timezone: 'UTC', countries, locale: 'en' });
const US = of('US');
const DE = of('DE');
const AU = of('AU');

const numbers: { [from: string]: [came: Json, number: string, client?: ReadingClient][] } = {
  'phone system': [
    ['+13125550121', '+13125550121'],
    ['13125550121', '+13125550121'],
    [13_125_550_121, '+13125550121'],
    ['whatsapp:+13125550121', '+13125550121'],
    ['tel:+1-312-555-0121;ext=5', '+13125550121'],
    ['"Ada Byron" <+13125550121>', '+13125550121'],
    ['"Ada" <3125550121>', '+13125550121'],
    ['4915112345678', '+4915112345678'],
    ['33612345678', '+33612345678'],
    ['13125550121', '+13125550121', US],
    ['4915112345678', '+4915112345678', DE],
    ['49 151 12345678', '+4915112345678', DE],
    ['447911123456', '+447911123456', of('GB')],
    ['34612345678', '+34612345678', of('ES')],
    // Without plus sign, where a landline of the same digits would be written with a 0.
    ['33612345678', '+33612345678', DE],
    ['41791234567', '+41791234567', DE],
    ['49322157056', '+49322157056', DE],
    // A form that does not encode its plus sign sends a space.
    [' 13125550121', '+13125550121', DE],
    ['%2B13125550121', '+13125550121', DE],
  ],
  'person or form': [
    ['(312) 555-0121', '+13125550121'],
    ['312.555.0121', '+13125550121'],
    ['1-312-555-0121', '+13125550121'],
    ['+1 (312) 555 0121', '+13125550121'],
    ['0044 20 7946 0000', '+442079460000'],
    ['011 44 20 7946 0000', '+442079460000'],
    ['0011 61 412 345 678', '+61412345678', AU],
    ['0011 44 7400 123456', '+447400123456', AU],
    ['0044 7400 123456', '+447400123456', AU],
    ['0412 345 678', '+61412345678', AU],
    ['06 6982 1234', '+390669821234', of('IT')],
    ['+١٣١٢٥٥٥٠١٢١', '+13125550121'],
    ['٣١٢-٥٥٥-٠١٢١', '+13125550121'],
    ['۰۱۵۱ ۲۳۴۵۶۷۸۹', '+4915123456789', DE],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+1 312 555 0121 ext. 5', '+13125550121'],
    ['312-555-0121 x5', '+13125550121'],
    ['+1 (312) 555-0121 #5', '+13125550121'],
    ['3125550121,,5', '+13125550121'],
    ['Tel.: 312-555-0121', '+13125550121'],
    ['312-555-0121 (mobile)', '+13125550121'],
    ['312 555 0121 / 312 555 0122', '+13125550121'],
    ['312-555-0121 or 312-555-0122', '+13125550121'],
    ['312-555-0121; 312-555-0122', '+13125550121'],
    [['312-555-0121', '312-555-0122'], '+13125550121'],
    ['\u202a+1 312\u2011555\u20110121\u202c', '+13125550121'],
    ['+1\u00a0312\u2013555\u20140121', '+13125550121'],
    ['＋１３１２５５５０１２１', '+13125550121'],
    ['0151 12345678', '+4915112345678', DE],
    ['0151/12345678', '+4915112345678', DE],
    ['(0151) 123-45678', '+4915112345678', DE],
    ['+49 (0) 151 / 12345678', '+4915112345678', DE],
    ['0049(0)151 12345678', '+4915112345678', DE],
    ['030/123456 / 030/654321', '+4930123456', DE],
    ['+49 151 12345678 oder +49 30 123456', '+4915112345678', DE],
    ['07911 123456', '+447911123456', of('GB')],
    ['612 345 678', '+34612345678', of('ES')],
    ['+39 06 1234567', '+39061234567', of('IT')],
    // Without a 0 in national notation, and the beginning of the number is the code of another country.
    ['477 123 4567', '+524771234567', of('MX')],
    ['662 123 4567', '+526621234567', of('MX')],
    ['656 123 4567', '+526561234567', of('MX')],
    ['492 123 4567', '+524921234567', of('MX')],
    ['(322) 223 1234', '+523222231234', of('MX')],
    ['52 477 123 4567', '+524771234567', of('MX')],
    ['(49) 3322-1234', '+554933221234', of('BR')],
    ['604 218 2268', '+576042182268', of('CO')],
    ['2382 344767', '+302382344767', of('GR')],
    // A landline without its 0, and a landline abroad.
    ['20 3805 3569', '+442038053569', of('GB')],
    // From a phone provider: digits alone, with the country's code.
    ['4315123456', '+4315123456', DE],
    ['442071234567', '+442071234567', DE],
  ],
  spreadsheet: [
    ["'+13125550121", '+13125550121'],
    ['="+13125550121"', '+13125550121'],
    ['13125550121.0', '+13125550121'],
    ['7911123456', '+447911123456', of('GB')],
    ['15112345678', '+4915112345678', DE],
  ],
};

const withheld: Json[] = [
  'anonymous',
  'Anonymous',
  'Restricted',
  'unavailable',
  'UNKNOWN',
  'Private',
  'private number',
  'No Caller ID',
  'Withheld',
  'blocked',
  'Unbekannt',
  'Rufnummer unterdrückt',
  'Número oculto',
  'n/a',
  '-',
  '',
  ' ',
  'P',
  'Out-of-Area',
  'client:ada',
  'sip:ada@pbx.example',
  'sip:+13125550121@pbx.example',
  'sips:x@y',
  '"Anonymous" <sip:anonymous@anonymous.invalid>',
  'anonymous@anonymous.invalid',
  '+266696687',
  '+7378742833',
  '+86282452253',
  '+2562533',
  '+464',
  '+8566696',
  '0000000000',
  '266696687',
];
const noNumber: Json[] = [
  '12345',
  '732873',
  'ACME',
  'Google',
  'messenger:1234567890123',
  '5550121',
  '+1312555',
  '+999123456789',
  '3.12555E+09',
  '1-800-FLOWERS',
  'call me',
  '312',
  911,
  '+1 312 555 01211234567',
];

type Row = [came: Json, number: string, client?: ReadingClient];
const labelled: Row[] = [
  ['cell 312-555-0121', '+13125550121'],
  ['Mobile 312-555-0121', '+13125550121'],
  ['Home: 312-555-0121', '+13125550121'],
  ['work: 312-555-0121', '+13125550121'],
  ['Work phone: (312) 555-0121', '+13125550121'],
  ['T +1 312 555 0121', '+13125550121'],
  ['(312) 555-0121 cell', '+13125550121'],
  ['Tel. 030 23125121', '+493023125121', DE],
  ['Mobil 0171 2345678', '+491712345678', DE],
  ['0171 2345678 geschäftlich', '+491712345678', DE],
  ['Móvil 612 345 678', '+34612345678', of('ES')],
  ['+5215512345678', '+525512345678'],
  ['+52 1 55 1234 5678', '+525512345678', of('MX')],
  ['whatsapp:+5215512345678', '+525512345678'],
  ...['5215512345678', '52 1 55 1234 5678', '005215512345678', '+52 1 (55) 1234 5678', '+52 (1) 55 1234 5678'].flatMap((came): Row[] => [
    [came, '+525512345678'],
    [came, '+525512345678', of('MX')],
  ]),
];
const inText: Json[] = ['not 312-555-0121', 'call 312-555-0121', 'mobile not 312-555-0121', '312-555-0121 is wrong', 'mobile', 'Home 12'];

describe('a label next to a phone number', () => {
  for (const [came, value, client = US] of labelled)
    it(`is dropped: ${JSON.stringify(came)} is ${value}`, () => assert.deepEqual(readPhone(came, client), { value }));
  for (const came of inText)
    it(`is no other word: ${JSON.stringify(came)} is no number`, () => assert.deepEqual(readPhone(came, US), { not: 'no_number' }));
});

describe('a phone number', () => {
  for (const [from, rows] of Object.entries(numbers))
    for (const [came, value, client = US] of rows)
      it(`of a ${from}: ${JSON.stringify(came)} is ${value} in ${client.countries.join()}`, () =>
        assert.deepEqual(readPhone(came, client), { value }));
  for (const came of withheld) it(`${JSON.stringify(came)} is withheld`, () => assert.deepEqual(readPhone(came, US), { not: 'withheld' }));
  for (const came of noNumber)
    it(`${JSON.stringify(came)} is no number`, () => assert.deepEqual(readPhone(came, US), { not: 'no_number' }));

  it('without a country code is refused where no country is known; one with it is not', () => {
    for (const came of ['(312) 555-0121', '13125550121']) {
      const reading = readPhone(came, of());
      assert.ok('problem' in reading);
      assert.match(reading.problem, /country code/);
    }
    assert.deepEqual(readPhone('+1 (312) 555-0121', of()), { value: '+13125550121' });
  });
  it('is none whose zeros would be lost when it is read again', () => {
    assert.deepEqual(readPhone('000005', DE), { not: 'no_number' });
    assert.deepEqual(readPhone('+390669821234', DE), { value: '+390669821234' });
  });
  it('is no object and no truth value', () => {
    for (const came of [{}, { number: '+13125550121' }, true, null]) assert.ok('problem' in readPhone(came, US));
  });
});

it('of a long list the first twenty values are looked at, since each of them is costly', () => {
  const list = (before: number): Json[] => [...Array.from({ length: before }, () => 'xyz'), '+13125550121'];
  assert.deepEqual(readPhone(list(19), US), { value: '+13125550121' });
  assert.deepEqual(readPhone(list(20), US), { not: 'no_number' });
});
