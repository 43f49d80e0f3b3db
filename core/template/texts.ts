import type { Template } from './types.ts';

/** What clients read of a template, in one language beside English. Keys and order are those of the template. See docs/behaviour/languages.md. */
export type TemplateTexts = {
  title: string;
  clientSummary: string;
  /** Labels by key. */
  inputs: { [key: string]: string };
  config: { [key: string]: { label: string; help: string } };
  /** Labels by name. */
  steps: { [name: string]: string };
  stopsWhen: string[];
  sentences: Template['sentences'];
  resultsPhrase: Template['resultsPhrase'];
  /** Texts, in order. */
  sampleConversation: string[];
  /** Notes of the preview, by step. */
  notes: { [step: string]: string };
};

/** Words that steps report, for example why a run ended early: English to one other language. */
export type OutcomeWords = { readonly [english: string]: string };

/** Returns a template whose texts for clients are these; all else is as before. */
export function withTexts(template: Template, texts: TemplateTexts): Template {
  const { title, clientSummary, stopsWhen, sentences, resultsPhrase } = texts;
  return {
    ...template,
    title,
    clientSummary,
    stopsWhen,
    sentences,
    resultsPhrase,
    inputs: template.inputs.map((input) => ({ ...input, label: texts.inputs[input.key] ?? input.label })),
    config: template.config.map((setting) => ({ ...setting, ...texts.config[setting.key] })),
    steps: template.steps.map((step) => ({ ...step, label: texts.steps[step.name] ?? step.label })),
    sampleConversation: template.sampleConversation.map((line, at) => ({ ...line, text: texts.sampleConversation[at] ?? line.text })),
    messages: template.messages.map((message) => {
      const note = texts.notes[message.step];
      return note === undefined ? message : { ...message, note };
    }),
  };
}

/** Lists how the texts differ from what the template needs; empty when they are complete and hold nothing else. */
export function textProblems(template: Template, texts: TemplateTexts): string[] {
  const compare = (what: string, own: readonly string[], needed: readonly string[]): string[] =>
    own.toSorted().join() === needed.toSorted().join() ? [] : [`${what}: ${own.join(', ')} instead of ${needed.join(', ')}`];
  const keys = (list: readonly { key: string }[]): string[] => list.map(({ key }) => key);
  const stepNames = template.steps.map(({ name }) => name);
  const noted = template.messages.flatMap(({ step, note }) => (note === undefined ? [] : [step]));
  return [
    ...compare('inputs', Object.keys(texts.inputs), keys(template.inputs)),
    ...compare('config', Object.keys(texts.config), keys(template.config)),
    ...compare('steps', Object.keys(texts.steps), stepNames),
    ...compare('notes', Object.keys(texts.notes), noted),
    ...compare('stopsWhen', [String(texts.stopsWhen.length)], [String(template.stopsWhen.length)]),
    ...compare('sampleConversation', [String(texts.sampleConversation.length)], [String(template.sampleConversation.length)]),
    ...template.config.flatMap(({ key, help }) =>
      compare(`help of ${key}`, placeholdersOf(texts.config[key]?.help ?? ''), placeholdersOf(help)),
    ),
    ...(['running', 'succeeded', 'failed', 'stopped'] as const).flatMap((name) =>
      compare(`sentence ${name}`, placeholdersOf(texts.sentences[name]), placeholdersOf(template.sentences[name])),
    ),
  ];
}

const PLACEHOLDER = /\{([\w.]+)(?:\|([^}]*))?\}/g;
/** The cause ends each sentence of a failure; clients do not see it. */
const CAUSE = /: \{error\.message\|[^}]*\}$/;
/** Placeholders whose value is a number, unlike the text beside it. */
const NUMBERS: readonly string[] = ['output.score', 'output.quality', 'output.rows'];
const SENTENCES: Readonly<Record<string, readonly (keyof Template['sentences'])[]>> = {
  RUNNING: ['running'],
  SUCCEEDED: ['stopped', 'succeeded'],
  FAILED: ['failed'],
};

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((found) => found[1] ?? '');
}

/**
 * Returns the sentence of an execution, stored in English, in the language of `target`. The values are read from the sentence, so one stored
 * text serves every reader. A sentence that the template of today would not write stays as it is.
 */
export function translateSentence(
  sentence: string,
  status: string,
  { source, target, words }: { source: Template; target: Template; words: OutcomeWords },
): string {
  for (const name of SENTENCES[status] ?? []) {
    const values = readValues(sentence, source.sentences[name].replace(CAUSE, ''), name === 'failed');
    if (values === undefined) continue;
    return target.sentences[name]
      .replace(CAUSE, '')
      .replace(PLACEHOLDER, (_, path: string, otherwise = '') => wordOf(words, values.get(path)) ?? otherwise)
      .replace(/\s{2,}/g, ' ')
      .trim();
  }
  return sentence;
}

function wordOf(words: OutcomeWords, value: string | undefined): string | undefined {
  return value !== undefined && Object.hasOwn(words, value) ? words[value] : value;
}

/** Returns the values of a sentence by placeholder, without those that were missing; undefined when it was not written from this text. */
function readValues(sentence: string, text: string, hasCause: boolean): Map<string, string> | undefined {
  const found = patternOf(text, hasCause).exec(sentence);
  if (found === null) return undefined;
  return new Map(
    [...text.matchAll(PLACEHOLDER)].flatMap(([, path = '', otherwise = ''], at) => {
      const value = found[at + 1] ?? '';
      return value === '' || value === otherwise ? [] : [[path, value] as const];
    }),
  );
}

const patterns = new Map<string, RegExp>();

function patternOf(text: string, hasCause: boolean): RegExp {
  const id = `${hasCause} ${text}`;
  const known = patterns.get(id);
  if (known) return known;
  let at = 0;
  let pattern = '';
  for (const found of text.matchAll(PLACEHOLDER)) {
    const before = escaped(text.slice(at, found.index));
    at = found.index + found[0].length;
    const isNumber = NUMBERS.includes(found[1] ?? '');
    // A missing number without a word in its place leaves one of the two spaces around it.
    if (isNumber && !found[2]) pattern += `${before.replace(/ $/, ' ?')}([\\d.]*)`;
    else pattern += `${before}${isNumber ? `([\\d.]+|${escaped(found[2] ?? '')})` : '([^]+?)'}`;
  }
  const compiled = new RegExp(`^${pattern}${escaped(text.slice(at))}${hasCause ? '(?:: [^]*)?' : ''}$`);
  patterns.set(id, compiled);
  return compiled;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
