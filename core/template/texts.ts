import { checkConfig } from './settings.ts';
import type { ConfigType, Template, TemplateConfig, TemplateOutcome } from './types.ts';

/** Texts of a template that clients read, in a language other than English. Keys and order are those of the template. See docs/behaviour/languages.md. */
export type TemplateTexts = {
  title: string;
  clientSummary: string;
  /** Labels by key. */
  inputs: { [key: string]: string };
  /** What visitors are asked for, by key, of the inputs that have such words. */
  asks?: { [key: string]: string };
  /** `default`: what an agent of a client that reads this language begins with, of settings that hold words. */
  config: { [key: string]: { label: string; help: string; default?: string | string[] } };
  /** Labels by name. */
  steps: { [name: string]: string };
  stopsWhen: string[];
  sentences: Template['sentences'];
  visitorSentences?: Template['visitorSentences'];
  /** Sentences by name, of the outcomes that have one. */
  outcomes?: { [name: string]: string };
  formerSentences?: { [name: string]: string };
  resultsPhrase: Template['resultsPhrase'];
  /** Texts, in order. */
  sampleConversation: string[];
  /** Notes of the preview, by step. */
  notes: { [step: string]: string };
  /** Subjects of mails that are written in the language of the client, by step. */
  subjects?: { [step: string]: string };
  /** Bodies of messages to the owner that have words of their own, by step. */
  bodies?: { [step: string]: string };
};

/** Texts by name. */
type Texts = { readonly [name: string]: string };

/** The settings of a template that hold words, by key, in one language. */
export type DefaultTexts = { readonly [key: string]: string | string[] };

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
    ...(template.outcomes ? { outcomes: template.outcomes.map((one) => withSentence(one, texts.outcomes?.[one.name])) } : {}),
    ...(texts.visitorSentences ? { visitorSentences: texts.visitorSentences } : {}),
    ...(texts.formerSentences ? { formerSentences: texts.formerSentences } : {}),
    inputs: template.inputs.map((input) => {
      const ask = texts.asks?.[input.key];
      return { ...input, label: texts.inputs[input.key] ?? input.label, ...(ask === undefined ? {} : { ask }) };
    }),
    config: template.config.map((setting) => {
      // The default stays: it is what an agent without a text of its own writes, in any language of its reader.
      const { label = setting.label, help = setting.help } = texts.config[setting.key] ?? {};
      return { ...setting, label, help };
    }),
    steps: template.steps.map((step) => ({ ...step, label: texts.steps[step.name] ?? step.label })),
    sampleConversation: template.sampleConversation.map((line, at) => ({ ...line, text: texts.sampleConversation[at] ?? line.text })),
    messages: template.messages.map((message) => {
      const note = texts.notes[message.step];
      const subject = texts.subjects?.[message.step];
      const body = texts.bodies?.[message.step] ?? message.body;
      return { ...message, body, ...(note === undefined ? {} : { note }), ...(subject === undefined ? {} : { subject }) };
    }),
  };
}

function withSentence(outcome: TemplateOutcome, sentence: string | undefined): TemplateOutcome {
  return sentence === undefined ? outcome : { ...outcome, sentence };
}

/** Returns the texts that a new agent begins with, by key. */
export function defaultTexts({ config }: TemplateTexts): DefaultTexts {
  return Object.fromEntries(Object.entries(config).flatMap(([key, { default: text }]) => (text === undefined ? [] : [[key, text]])));
}

const WORDED: ReadonlySet<ConfigType> = new Set(['text', 'longtext', 'list']);

/** Whether the default of a setting is made of words, which customers or a language model read; a code such as "+1" is not. */
function holdsWords({ type, choices, default: value }: TemplateConfig): boolean {
  return WORDED.has(type) && choices === undefined && /\p{L}/u.test(String(value));
}

/** Lists how the texts differ from what the template needs; empty when they are complete and hold nothing else. */
export function textProblems(template: Template, texts: TemplateTexts): string[] {
  const compare = (what: string, own: readonly string[], needed: readonly string[]): string[] =>
    own.toSorted().join() === needed.toSorted().join() ? [] : [`${what}: ${own.join(', ')} instead of ${needed.join(', ')}`];
  const keys = (list: readonly { key: string }[]): string[] => list.map(({ key }) => key);
  const stepNames = template.steps.map(({ name }) => name);
  const compareByName = (what: string, own: Texts = {}, needed: Texts = {}): string[] => [
    ...compare(`${what}s`, Object.keys(own), Object.keys(needed)),
    ...Object.entries(needed).flatMap(([name, sentence]) =>
      compare(`${what} ${name}`, placeholdersOf(own[name] ?? ''), placeholdersOf(sentence)),
    ),
  ];
  const defaults = defaultTexts(texts);
  const worded = template.config.filter(holdsWords);
  const noted = template.messages.flatMap(({ step, note }) => (note === undefined ? [] : [step]));
  return [
    ...compare('inputs', Object.keys(texts.inputs), keys(template.inputs)),
    ...compare('asks', Object.keys(texts.asks ?? {}), keys(template.inputs.filter(({ ask }) => ask !== undefined))),
    ...compare('config', Object.keys(texts.config), keys(template.config)),
    ...compare('steps', Object.keys(texts.steps), stepNames),
    ...compare('notes', Object.keys(texts.notes), noted),
    ...compare('resultsPhrase', Object.keys(texts.resultsPhrase), Object.keys(template.resultsPhrase)),
    ...compare('stopsWhen', [String(texts.stopsWhen.length)], [String(template.stopsWhen.length)]),
    ...compare('sampleConversation', [String(texts.sampleConversation.length)], [String(template.sampleConversation.length)]),
    ...template.config.flatMap(({ key, help }) =>
      compare(`help of ${key}`, placeholdersOf(texts.config[key]?.help ?? ''), placeholdersOf(help)),
    ),
    ...compare('defaults', Object.keys(defaults), keys(worded)),
    ...worded.flatMap(({ key, default: text }) =>
      compare(`default of ${key}`, placeholdersOf(String(defaults[key] ?? '')), placeholdersOf(String(text))),
    ),
    ...checkConfig(template, defaults).map(({ key, message }) => `default of ${key}: ${message}`),
    ...(['subject', 'body'] as const).flatMap((part) =>
      Object.entries((part === 'subject' ? texts.subjects : texts.bodies) ?? {}).flatMap(([step, text]) => {
        const own = template.messages.find((message) => message.step === step)?.[part];
        return own === undefined
          ? [`${part} ${step}: the template has none`]
          : compare(`${part} ${step}`, placeholdersOf(text), placeholdersOf(own));
      }),
    ),
    ...compareByName('outcome', texts.outcomes, outcomeSentences(template)),
    ...compareByName('visitor sentence', texts.visitorSentences, template.visitorSentences),
    ...compareByName('former sentence', texts.formerSentences, template.formerSentences),
    ...(['running', 'succeeded', 'failed', 'stopped'] as const).flatMap((name) =>
      compare(`sentence ${name}`, placeholdersOf(texts.sentences[name]), placeholdersOf(template.sentences[name])),
    ),
  ];
}

const PLACEHOLDER = /\{([\w.]+)(?:\|([^}]*))?\}/g;
/** The cause ends each sentence of a failure; clients do not see it. */
const CAUSE = /: \{error\.message\|[^}]*\}$/;
/** Under which `readValues` returns the cause, with the colon before it. */
const STORED_CAUSE = 'cause';
/** Placeholders whose value is a number; the others are texts. */
const NUMBERS: readonly string[] = ['output.score', 'output.quality', 'output.rows'];

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((found) => found[1] ?? '');
}

/** Returns the template as it words runs that a visitor asked for in a chat. */
export function toVisitors(template: Template): Template {
  return { ...template, sentences: { ...template.sentences, ...template.visitorSentences } };
}

/**
 * Returns the sentence of an execution, stored in English, in the words of `target`, without the cause of a failure unless `keepsCause`. The values are
 * read from the sentence, so one stored text serves every reader. A sentence that the template neither writes nor keeps as a former one stays as it is.
 */
export function translateSentence(
  sentence: string,
  status: string,
  { source, target, words, keepsCause = false }: { source: Template; target: Template; words: OutcomeWords; keepsCause?: boolean },
): string {
  for (const [written, wanted] of pairsOf(status, source, target)) {
    const values = readValues(sentence, written.replace(CAUSE, ''), status === 'FAILED');
    if (values === undefined) continue;
    const cause = keepsCause ? (values.get(STORED_CAUSE) ?? '') : '';
    const text = wanted
      .replace(CAUSE, '')
      .replace(PLACEHOLDER, (_, path: string, otherwise = '') => wordOf(words, values.get(path)) ?? otherwise)
      .replace(/\s{2,}/g, ' ')
      .trim();
    return text + cause;
  }
  return sentence;
}

/** The sentences that a run of this status may have been written from, the most particular first and former ones last, each with the one of the other language. */
function pairsOf(status: string, source: Template, target: Template): (readonly [string, string])[] {
  const pair = (name: keyof Template['sentences']) => [source.sentences[name], target.sentences[name]] as const;
  if (status === 'RUNNING') return [pair('running')];
  if (status === 'FAILED') return [pair('failed')];
  if (status !== 'SUCCEEDED') return [];
  return [
    ...pairsByName(outcomeSentences(source), outcomeSentences(target)),
    pair('stopped'),
    pair('succeeded'),
    ...pairsByName(source.formerSentences, target.formerSentences),
  ];
}

function pairsByName(source: Texts = {}, target: Texts = {}): (readonly [string, string])[] {
  return Object.entries(source).flatMap(([name, written]) => {
    const wanted = target[name];
    return wanted === undefined ? [] : [[written, wanted] as const];
  });
}

function outcomeSentences({ outcomes = [] }: Template): Texts {
  return Object.fromEntries(outcomes.flatMap(({ name, sentence }) => (sentence === undefined ? [] : [[name, sentence]])));
}

function wordOf(words: OutcomeWords, value: string | undefined): string | undefined {
  return value !== undefined && Object.hasOwn(words, value) ? words[value] : value;
}

/** Returns the values of a sentence by placeholder, without those that were missing; undefined when it was not written from this text. */
function readValues(sentence: string, text: string, hasCause: boolean): Map<string, string> | undefined {
  const found = patternOf(text, hasCause).exec(sentence);
  if (found === null) return undefined;
  const values = new Map(
    [...text.matchAll(PLACEHOLDER)].flatMap(([, path = '', otherwise = ''], at) => {
      const value = found[at + 1] ?? '';
      return value === '' || value === otherwise ? [] : [[path, value] as const];
    }),
  );
  if (hasCause) values.set(STORED_CAUSE, found.at(-1) ?? '');
  return values;
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
  const compiled = new RegExp(`^${pattern}${escaped(text.slice(at))}${hasCause ? '(: [^]*)?' : ''}$`);
  patterns.set(id, compiled);
  return compiled;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
