import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Template } from './types.ts';
import { textProblems, translateSentence, type TemplateTexts } from './texts.ts';

const sentences = (running: string, succeeded: string, failed: string, stopped: string): Template =>
  ({ sentences: { running, succeeded, failed, stopped } }) as unknown as Template; // only its sentences are read

const source = sentences(
  'Rating {input.name|a lead}',
  'Rated {input.name|a lead} {output.score|} of 100',
  'Could not rate {input.name|a lead}: {error.message|something went wrong}',
  'Did not rate {input.name|a lead}: {output.message|nothing to do}',
);
const target = sentences(
  'Bewertet {input.name|eine Anfrage}',
  '{output.score|–} von 100: {input.name|Anfrage}',
  '{input.name|Eine Anfrage} konnte nicht bewertet werden: {error.message|etwas ist schiefgegangen}',
  '{input.name|Anfrage} nicht bewertet: {output.message|nichts zu tun}',
);
const before = {
  source: { ...source, formerSentences: { graded: 'Graded {input.name|a lead}', answered: 'Rated {input.name|a lead} once' } },
  target: { ...target, formerSentences: { graded: '{input.name|Anfrage} benotet', answered: '{input.name|Anfrage} einmal bewertet' } },
};
const words = { 'It is quiet hours': 'Ruhezeit' };

describe('the sentence of a run in another language', () => {
  for (const [status, english, german] of [
    ['RUNNING', 'Rating Ada', 'Bewertet Ada'],
    ['RUNNING', 'Rating a lead', 'Bewertet eine Anfrage'],
    ['SUCCEEDED', 'Rated Ada (of 3) 85 of 100', '85 von 100: Ada (of 3)'],
    ['SUCCEEDED', 'Rated a lead of 100', '– von 100: Anfrage'],
    ['SUCCEEDED', 'Did not rate Ada: It is quiet hours', 'Ada nicht bewertet: Ruhezeit'],
    ['SUCCEEDED', 'Did not rate Ada: constructor', 'Ada nicht bewertet: constructor'],
    ['FAILED', 'Could not rate Ada', 'Ada konnte nicht bewertet werden'],
    ['FAILED', 'Could not rate $& {x}: a key was refused', '$& {x} konnte nicht bewertet werden'],
    ['SUCCEEDED', 'A sentence of an older version', 'A sentence of an older version'],
    ['UNKNOWN', 'Rating Ada', 'Rating Ada'],
  ] as const)
    it(`${status} ${english}`, () => assert.equal(translateSentence(english, status, { source, target, words }), german));
});

describe('a sentence that an earlier version stored', () => {
  for (const [status, english, german] of [
    ['SUCCEEDED', 'Graded Ada', 'Ada benotet'],
    ['SUCCEEDED', 'Graded a lead', 'Anfrage benotet'],
    ['SUCCEEDED', 'Rated Ada once', 'Ada einmal bewertet'],
    ['SUCCEEDED', 'Rated Ada 85 of 100', '85 von 100: Ada'],
    ['FAILED', 'Graded Ada', 'Graded Ada'],
  ] as const)
    it(`${status} ${english}`, () => assert.equal(translateSentence(english, status, { ...before, words }), german));
  it('needs a translation with the same placeholders', () => {
    const empty = { inputs: [], config: [], steps: [], messages: [], stopsWhen: [], sampleConversation: [], resultsPhrase: {} };
    const template = { ...before.source, ...empty } as unknown as Template; // only what is compared
    const texts = (formerSentences: TemplateTexts['formerSentences']): TemplateTexts =>
      ({
        ...empty,
        inputs: {},
        config: {},
        steps: {},
        notes: {},
        sentences: template.sentences,
        formerSentences,
      }) as unknown as TemplateTexts;
    assert.deepEqual(textProblems(template, texts(before.target.formerSentences)), []);
    assert.deepEqual(textProblems(template, texts({ graded: 'benotet', answered: '{input.name|Anfrage} bewertet' })), [
      'former sentence graded:  instead of input.name',
    ]);
    assert.notDeepEqual(textProblems(template, texts(undefined)), []);
  });
});

describe('the default of a setting that holds words', () => {
  const template = {
    inputs: [],
    steps: [],
    messages: [],
    stopsWhen: [],
    sampleConversation: [],
    resultsPhrase: {},
    sentences: source.sentences,
    config: [
      { key: 'line', label: 'Line', type: 'text', default: 'Reply STOP, says {businessName}.', help: '', maxLength: 40 },
      { key: 'labels', label: 'Labels', type: 'list', default: ['a', 'b'], help: '', maxLength: 2 },
      { key: 'code', label: 'Code', type: 'text', default: '+1', help: '' },
      { key: 'fields', label: 'Fields', type: 'list', default: ['name'], choices: ['name'], help: '' },
    ],
  } as unknown as Template; // only what is compared
  const problemsOf = (config: TemplateTexts['config']): string[] => {
    const plain = { label: 'x', help: '' };
    const texts = {
      inputs: {},
      steps: {},
      notes: {},
      stopsWhen: [],
      sampleConversation: [],
      resultsPhrase: {},
      sentences: source.sentences,
    };
    return textProblems(template, {
      ...texts,
      config: { line: plain, labels: plain, code: plain, fields: plain, ...config },
    } as unknown as TemplateTexts);
  };
  const line = { label: 'x', help: '', default: 'STOP, so {businessName}.' };
  const labels = { label: 'x', help: '', default: ['c', 'd'] };
  it('stands in every language, with its placeholders and within its length', () => {
    assert.deepEqual(problemsOf({ line, labels }), []);
    assert.deepEqual(problemsOf({ line }), ['defaults: line instead of line, labels']);
    assert.deepEqual(problemsOf({ line: { ...line, default: 'STOP.' }, labels }), ['default of line:  instead of businessName']);
    const long = problemsOf({
      line: { ...line, default: `{businessName} ${'x'.repeat(40)}` },
      labels: { ...labels, default: ['c', 'd', 'e'] },
    });
    assert.equal(long.length, 2);
    for (const key of ['line', 'labels'])
      assert.ok(
        long.some((one) => one.startsWith(`default of ${key}: `)),
        key,
      );
  });
  it('is none of a code or of choices', () => {
    const code = { label: 'x', help: '', default: '+49' };
    assert.deepEqual(problemsOf({ line, labels, code }), ['defaults: line, labels, code instead of line, labels']);
  });
});
