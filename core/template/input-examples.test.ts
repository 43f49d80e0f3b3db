import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { inputExamples } from './input-examples.ts';

const CHICAGO = { timezone: 'America/Chicago', country: 'US' };

describe('the examples of an input', () => {
  for (const template of loadCatalog())
    it(`of ${template.name} are two notations each, with the type in words`, () => {
      for (const input of template.inputs) {
        const { type, examples } = inputExamples(input, CHICAGO);
        assert.notDeepEqual(examples[0], examples[1], input.key);
        // An input that no rule names falls back to a text.
        if (!['text', 'longtext'].includes(input.type)) assert.notEqual(type, 'Text', `${input.key} is ${input.type}`);
      }
    });

  it('say in which zone a time without an offset is read, and of which country a number without a code is', () => {
    const [time, phone] = ['datetime', 'phone'].map((type) => inputExamples({ type, example: '' }, CHICAGO));
    assert.deepEqual(time, {
      type: 'Date and time',
      examples: ['2027-01-05T15:00:00Z', '2027-01-05 15:00'],
      note: 'without an offset: in Chicago',
    });
    assert.deepEqual(phone, {
      type: 'Phone number',
      examples: ['+13125550121', '(312) 555-0121'],
      note: 'without a country code: in the United States',
    });
    assert.deepEqual(
      inputExamples({ type: 'datetime', example: '' }, { timezone: 'America/Argentina/Buenos_Aires', country: null }).note,
      'without an offset: in Buenos Aires',
    );
    assert.equal(
      inputExamples({ type: 'datetime', example: '', timeRequired: true }, CHICAGO).note,
      'without an offset: in Chicago; not a day alone',
    );
  });

  it('of a client whose country is not known, or has no number for examples, have a country code', () => {
    for (const country of [null, 'BR'])
      assert.deepEqual(inputExamples({ type: 'phone', example: '' }, { timezone: 'UTC', country }), {
        type: 'Phone number',
        examples: ['+13125550121', '+1 (312) 555-0121'],
        note: null,
      });
  });
});
