import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { readInput } from './input.ts';
import { inputExamples } from './input-examples.ts';
import type { Json, Template } from './types.ts';

const COUNTRIES = [
  ['America/Chicago', 'US'],
  ['America/Vancouver', 'CA'],
  ['Europe/London', 'GB'],
  ['Europe/Berlin', 'DE'],
  ['Europe/Paris', 'FR'],
  ['Australia/Sydney', 'AU'],
  ['America/Sao_Paulo', 'BR'],
  ['UTC', null],
] as const;

/** The canonical value of one input of a template that requires nothing else. */
function read(template: Template, key: string, value: Json, [timezone, country]: (typeof COUNTRIES)[number]): Json | undefined {
  const inputs = template.inputs.map((input) => ({ ...input, required: input.key === key }));
  const client = { timezone, countries: country === null ? [] : [country], locale: 'en' as const };
  const reading = readInput({ ...template, inputs, requireOneOf: [] }, { [key]: value }, client);
  assert.ok('input' in reading, `${key}: ${JSON.stringify(value)} in ${timezone}: ${JSON.stringify(reading)}`);
  return reading.input[key];
}

describe('every example of an input is understood', () => {
  for (const template of loadCatalog())
    it(`of ${template.name}, and its two notations of a value mean the same`, () => {
      for (const place of COUNTRIES)
        for (const input of template.inputs) {
          const { examples } = inputExamples(input, { timezone: place[0], country: place[1] });
          const [first, second] = examples.map((example) => read(template, input.key, example, place));
          assert.notEqual(first, undefined, input.key);
          assert.notEqual(second, undefined, input.key);
          // The first of a date is in UTC, of a phone of another country; what an object holds is not read.
          if (!['datetime', 'phone', 'object'].includes(input.type)) assert.deepEqual(second, first, input.key);
          if (input.type === 'phone') assert.match(String(second), /^\+[1-9]\d{6,14}$/);
        }
    });

  it('of a time without an offset in the zone of the client', () => {
    const template = loadCatalog().find(({ name }) => name === 'appointment-reminder');
    assert.ok(template);
    const [, second] = inputExamples({ type: 'datetime', example: '' }, { timezone: 'America/Chicago', country: 'US' }).examples;
    assert.equal(new Date(String(read(template, 'startTime', second, COUNTRIES[0]))).toISOString(), '2027-01-05T21:00:00.000Z');
  });
});
