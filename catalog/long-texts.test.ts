import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readInput, type ReadingClient } from '@partner-portal/core/template/input.ts';
import { hasEncodedWord, personNameProblem } from '@partner-portal/core/people/name.ts';
import { sentencesOf, wholeSentencesOf } from '@partner-portal/core/text/sentences.ts';
import type { TemplateInput } from '@partner-portal/core/template/types.ts';
import { findBundle, loadCatalog } from './index.ts';
import { PREVIEW_TEXT_MAX, renderPreviews } from './preview.ts';
import { plainOf } from './parts/plain.js';
import { firstName, unlinked } from './parts/text.js';

/**
 * Texts on which a reader whose work grows with the square of their length ends after minutes or hours, and one whose work grows with their length in a
 * moment: an expression that may begin at each character reads to the end of the run from each of them.
 */
const LENGTH = 500_000;
const RUNS = [
  '"',
  '.',
  '!',
  '1',
  '1,',
  '1.',
  ' ',
  '\n',
  '-',
  '(',
  '[',
  '<',
  '@',
  'a@',
  ',',
  '"\\',
  'a',
  '<title>',
  '<head>',
  '<script>',
  '<p ',
  '&',
  '\u200b',
  '=?a',
];
const textOf = (run: string): string => `<p>${run.repeat(LENGTH / run.length)}x`;
const CLIENT: ReadingClient = { timezone: 'Europe/Berlin', countries: ['DE'], locale: 'de' };

/** One input of each type, with the words that a template adds to a yes or no. */
const inputs = Map.groupBy(
  loadCatalog().flatMap((template) => template.inputs),
  ({ type, trueWithin }: TemplateInput) => `${type}${trueWithin === undefined ? '' : ' with words'}`,
);

describe('a long text of any signs takes time in proportion to its length', () => {
  it('as a value of each type', () => {
    const bundle = findBundle('appointment-reminder');
    for (const [type, [input]] of inputs)
      for (const run of RUNS) {
        assert.ok(bundle && input);
        const reading = readInput({ ...bundle.template, inputs: [input] }, { [input.key]: textOf(run) }, CLIENT);
        const isRead = 'input' in reading && Object.hasOwn(reading.input, input.key);
        assert.equal(isRead, ['text', 'longtext', 'object'].includes(type), `${run} as ${type}`);
      }
  });

  it('as a mail that a language model reads, and as words of others in a text', () => {
    for (const run of RUNS) {
      const text = textOf(run);
      assert.ok(plainOf(text).length <= text.length, run);
      assert.ok(firstName(text).length <= 400, run);
      assert.ok(unlinked(text).length <= 2 * LENGTH, run);
    }
  });

  it('as a name or a line of a mail, and as sentences', () => {
    for (const run of RUNS) {
      const text = textOf(run);
      assert.equal(hasEncodedWord(text), false, run);
      assert.notEqual(personNameProblem(text)?.code, 'has_encoded_word', run);
      assert.ok(sentencesOf(text).length >= 1, run);
      assert.ok(wholeSentencesOf(text).length <= text.length + 1, run);
    }
  });

  it('in a preview, of each text input of each template', () => {
    const text = 'a'.repeat(LENGTH);
    for (const template of loadCatalog()) {
      const input = Object.fromEntries(template.inputs.map(({ key, type, example }) => [key, type.endsWith('text') ? text : example]));
      const previews = renderPreviews(template, { input, config: {}, client: { name: 'Oak Street' } });
      assert.ok(
        previews.every(({ body }) => body.length <= PREVIEW_TEXT_MAX),
        template.name,
      );
    }
  });
});
