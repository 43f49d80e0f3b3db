import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { toE164 } from './phone.ts';
import { countryCode, maskEmail, maskPhone, maskText } from './mask.ts';

describe('phone numbers', () => {
  for (const [value, good] of [
    ['+13125550121', true],
    ['+442079460000', true],
    ['+1312555', false],
    ['+9991234567', false],
    ['13125550121', false],
    ['+03125550121', false],
    ['+1 312 555 0121', false],
    ['+12345', false],
    ['+1234567890123456', false],
    ['', false],
    ['+1312555012x', false],
  ] as const) {
    it(`${JSON.stringify(value)} is ${good ? '' : 'not '}E.164`, () => assert.equal(toE164(value) === value, good));
  }

  it('normalizes common notations to E.164 and guesses no country', () => {
    assert.equal(toE164(' +1 (312) 555-0121 '), '+13125550121');
    assert.equal(toE164('0044 20 7946.0000'), '+442079460000');
    assert.equal(toE164('(312) 555-0121'), null);
    assert.equal(toE164('13125550121'), null);
  });

  it('drops the trunk prefix that national notation puts after the country code', () => {
    assert.equal(toE164('+44 (0)20 7946 0000'), '+442079460000');
    assert.equal(toE164('+4402079460000'), '+442079460000');
    assert.equal(toE164('+39 06 1234567'), '+39061234567', 'in Italy the zero is part of the number');
  });

  it('reads typographic hyphens and cuts extensions, and refuses numbers inside a text', () => {
    assert.equal(toE164('+1 312\u2011555\u20110121'), '+13125550121');
    for (const value of ['+1 312 555 0121 ext. 5', 'tel:+13125550121']) assert.equal(toE164(value), '+13125550121', value);
    for (const extension of ['DW 12', 'Durchwahl 12', 'Durchwahl: 12', 'Nst. 12', 'App. 12', 'interno 12', 'ext. 12'])
      assert.equal(toE164(`030 12345678 ${extension}`, ['DE']), '+493012345678', extension);
    for (const value of ['call +13125550121', '+1 800 FLOWERS']) assert.equal(toE164(value), null, value);
  });

  for (const [country, text, number] of [
    ['US', '312-555-0121 (cell), 312-555-0199 (home)', '+13125550121'],
    ['US', '(312) 555-0121 (mobile) / (312) 555-0199 (work)', '+13125550121'],
    ['US', '312-555-0121 cell, 312-555-0199 home', '+13125550121'],
    ['US', '312-555-0121 - mobile; 312-555-0199 - office', '+13125550121'],
    ['US', '312-555-0121 ext. 5; 312-555-0199', '+13125550121'],
    ['US', '312-555-0121 (Ada); 312-555-0199 (Bo)', '+13125550121'],
    ['US', '312-555-0121 (fax), 312-555-0199 (cell)', '+13125550199'],
    ['US', '312-555-0121 (do not call), 312-555-0199', '+13125550199'],
    ['ES', '912 345 678 (no llamar), 612 345 678', '+34612345678'],
    ['US', '312-555-0121 (fax)', '+13125550121'],
    ['US', '312-555-0121 (old), 312-555-0199', '+13125550199'],
    ['US', '312-555-0121 (Old Post), 312-555-0199', '+13125550121'],
    ['US', '312-555-0121 (cell, evenings), 312-555-0199', '+13125550121'],
    ['DE', '0151 23456789 (Handy), 030 12345678 (Büro)', '+4915123456789'],
    ['DE', 'Handy: 0151 23456789, Büro: 030 12345678', '+4915123456789'],
    ['DE', '030 12345678 DW 12, 0151 23456789', '+493012345678'],
    ['ES', '612 345 678 (móvil), 913 456 789 (casa)', '+34612345678'],
  ] as const)
    it(`is the first of two with what is written to each: ${text}`, () => assert.equal(toE164(text, [country]), number));

  it('is one of the first five of a text', () => {
    assert.equal(toE164(`${'1; '.repeat(4)}312-555-0121`, ['US']), '+13125550121');
    assert.equal(toE164(`${'1; '.repeat(5)}312-555-0121`, ['US']), null);
  });

  for (const [country, text, number] of [
    ['US', '312 555 0121 (do not text)', null],
    ['US', '312 555 0121 (do not call, text only)', '+13125550121'],
    ['US', '312 555 0121 (do not call or text)', null],
    ['US', '312 555 0121 (do not call please)', '+13125550121'],
    ['US', '312 555 0121 (please text, do not call me)', '+13125550121'],
    ['US', '312 555 0121 (do not call; text)', '+13125550121'],
    ['US', '312 555 0121 (do not leave voicemail)', '+13125550121'],
    ['US', '312 555 0121 or 312 555 0199', '+13125550121'],
    ['US', '312 555 0121 (do not use or contact)', null],
    ['US', '312 555 0121 or email', '+13125550121'],
    ['US', '312 555 0121 (mobile) or office', '+13125550121'],
    ['US', '312 555 0121 and ask for Tom', '+13125550121'],
    ['US', '312 555 0121 (no calls please text)', '+13125550121'],
    ['US', '312 555 0121 (no calls - text only)', '+13125550121'],
    ['US', '312 555 0121 (do not call - text me)', '+13125550121'],
    ['US', "312 555 0121 (Please don't call. Text only.)", '+13125550121'],
    ['US', '312 555 0121 (best number, no other contact)', '+13125550121'],
    ['DE', '0151 23456789 oder per Mail', '+4915123456789'],
    ['DE', '0151 23456789 (nicht anrufen bitte schreiben)', '+4915123456789'],
    ['DE', '0151 23456789 (keine Anrufe nur WhatsApp)', '+4915123456789'],
    ['ES', '600 123 456 (no llamar solo mensajes)', '+34600123456'],
    ['ES', '600 123 456 (no WhatsApp)', '+34600123456'],
    ['DE', '0151 23456789 (keine Mailbox)', '+4915123456789'],
    ['DE', '0151 23456789 (keine Anrufe bitte)', '+4915123456789'],
    ['DE', '0151 23456789 (bitte nicht anrufen)', '+4915123456789'],
    ['MX', '477 123 4567 (no llamar)', '+524771234567'],
    ['US', '312 555 0121, do not text', null],
    ['US', '312 555 0121, no text please', null],
    ['US', '312 555 0121 (cell, no texts); 312 555 0199', '+13125550199'],
    ['US', "312 555 0121 (don't text); 312 555 0199 (fax)", '+13125550199'],
    ['US', '312 555 0121 (fax), evenings', '+13125550121'],
    ['US', '312 555 0121 - text only, 312 555 0199 - home', '+13125550121'],
    ['DE', '0151 23456789 (keine SMS)', null],
    ['DE', '0151 23456789 (nicht anschreiben)', null],
    ['ES', '612 345 678, no enviar mensajes', null],
  ] as const)
    it(`is none that a remark forbids to text: ${text}`, () => assert.equal(toE164(text, [country]), number));

  it('reads a text in bounded time for which the library takes an exponential one', () =>
    assert.equal(toE164(`tel:1234567;phone-context=${'00.'.repeat(57)}!`, ['US']), null));

  it('masks after the country code of every country', () => {
    for (const country of getCountries()) {
      const code = getCountryCallingCode(country);
      assert.equal(countryCode(`${code}234567890`), code, country);
    }
  });

  it('masks enough of a number that it cannot be called', () => {
    assert.equal(maskPhone('+13125550121'), '+1 312 ··· 0121');
    assert.equal(maskPhone('+442079460000'), '+44 ··· 0000');
    assert.equal(maskPhone('+353861234567'), '+353 ··· 4567');
    assert.equal(maskPhone('call me'), '···');
  });

  it('masks addresses, and both kinds inside a text', () => {
    assert.equal(maskEmail('ada@example.com'), 'a···@example.com');
    assert.equal(maskEmail('no address'), '···');
    assert.equal(
      maskText('Call +1 (312) 555-0121 or mail ada.b+x@mail.example.com, order 1024.'),
      'Call +1 312 ··· 0121 or mail a···@mail.example.com, order 1024.',
    );
    assert.equal(maskText('ada@x.example,bob@y.example;+ada@z.example'), 'a···@x.example,b···@y.example;+···@z.example');
    assert.equal(maskText('(312) 555-0121 and 312.555.0121'), '··· 0121 and ··· 0121');
    assert.equal(
      maskText('run 0196a0aa-0000-7000-8000-000000000001, 2027-01-05, 4,210.50'),
      'run 0196a0aa-0000-7000-8000-000000000001, 2027-01-05, 4,210.50',
    );
  });

  it('masks the longest allowed event in linear time', () => {
    // Inputs on which a quadratic expression would take hours.
    for (const piece of ['a', 'a.', 'a@', '+1 ', '(111) ', '1', '@a-']) {
      const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
      assert.ok(maskText(text).length > 0);
    }
  });
});

/** Where the metadata of a country has the patterns of its landlines and its mobiles; one that is empty is that of the other. */
const [TYPES, LANDLINES, MOBILES] = [11, 0, 1];

/** Numbers of a country as E.164: its example, and landlines and mobiles by the patterns of its plan. The same ones at every call. */
function numbersOf(country: CountryCode): string[] {
  const types = metadata.countries[country]?.[TYPES] as readonly ([pattern: string] | 0)[] | undefined; // as the package stores it
  const patterns = [types?.[LANDLINES], types?.[MOBILES]].flatMap((type) =>
    type && type[0] !== '' ? [new RegExp(`^(?:${type[0]})$`)] : [],
  );
  const digits = patterns.flatMap((pattern) => fc.sample(fc.stringMatching(pattern), { numRuns: 20, seed: 1 }));
  return [getExampleNumber(country, examples)?.number ?? '', ...digits.map((one) => `+${getCountryCallingCode(country)}${one}`)];
}

describe('a number in the notation of its country', () => {
  for (const country of getCountries())
    it(`is read as the number that it is: ${country}`, () => {
      let count = 0;
      for (const number of numbersOf(country)) {
        const parsed = parsePhoneNumberFromString(number);
        const national = parsed?.isValid() ? parsed.formatNational() : '';
        // Some plans keep numbers that changed, such as those of Gabon from before 2019: their notation is that of another number today.
        if (parsePhoneNumberFromString(national, country)?.number !== number) continue;
        count += 1;
        for (const came of [national, national.replace(/\D/g, '')]) assert.equal(toE164(came, [country]), number, came);
      }
      assert.ok(count > 0);
    });
});
