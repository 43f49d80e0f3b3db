import { isGrouped, meanings, questionMeanings } from './words.ts';

/** A numbered text that instructions quote; `heading` is the one right above it. */
export type Passage = { number: number; heading: string; text: string };

const ELEMENT = /<passage\b(?=[^>]*\bn="(\d{1,2})")([^>]*)>([\s\S]*?)<\/passage>/g;
/** `[1] Opening hours` at the start of a line. */
const NUMBERED = /^\s*\[(\d{1,2})\]\s*(.*)$/;
const SEPARATOR = /^\s*(?:---|===|##)/;

/** Reads the passages: elements `<passage n="1" …>`, or else lines that begin with a number in brackets. */
export function readPassages(system: string): Passage[] {
  const elements = [...system.matchAll(ELEMENT)].map(([, number = '', attributes = '', text = '']) => ({
    number: Number(number),
    heading: unquote(/\bheading="([^"]*)"/.exec(attributes)?.[1]?.split('›').at(-1) ?? ''),
    text: unquote(text).trim(),
  }));
  if (elements.length > 0) return elements;
  const found: (Passage & { isOpen: boolean })[] = [];
  for (const line of system.split('\n')) {
    const last = found.at(-1);
    const [, number, text = ''] = NUMBERED.exec(line) ?? [];
    if (number !== undefined) found.push({ number: Number(number), heading: '', text, isOpen: true });
    else if (last !== undefined && SEPARATOR.test(line)) last.isOpen = false;
    else if (last?.isOpen) last.text += `\n${line}`;
  }
  return found.map(({ number, text }) => withHeading(number, text));
}

/** A first line that is no sentence is the heading of the lines after it. */
function withHeading(number: number, text: string): Passage {
  const [first = '', ...rest] = text.trim().split('\n');
  const isHeading = rest.join('').trim() !== '' && !/[.!?]$/.test(first.trim());
  return { number, heading: isHeading ? first : '', text: (isHeading ? rest.join('\n') : text).trim() };
}

/** Returns a text as it was before it was quoted as data. */
export function unquote(text: string): string {
  return text.replaceAll('‹', '<').replaceAll('›', '>').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Answers a question with the sentences of the best passage and its number; null when none fits. */
export function answerFrom(passages: readonly Passage[], question: string): string | null {
  const asked = questionMeanings(question);
  const ranked = passages
    .map((passage) => ({ passage, hits: overlap(asked, `${passage.heading} ${passage.text}`) }))
    .toSorted((one, other) => other.hits.length - one.hits.length || one.passage.number - other.passage.number);
  const best = ranked[0];
  if (best === undefined || !isEnough(asked, best.hits)) return null;
  return `${pickSentences(best.passage, asked)} [${best.passage.number}]`;
}

function overlap(asked: ReadonlySet<string>, text: string): string[] {
  const given = meanings(text);
  return [...asked].filter((meaning) => given.has(meaning));
}

// One word of many is a coincidence, except one with a meaning of its own such as a price.
function isEnough(asked: ReadonlySet<string>, hits: readonly string[]): boolean {
  return hits.length > 0 && (hits.length * 2 >= asked.size || hits.some(isGrouped));
}

function pickSentences({ heading, text }: Passage, asked: ReadonlySet<string>): string {
  const sentences = text
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu}|\d)/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  // Below a heading that is asked for, the text need not repeat it.
  const headed = meanings(heading);
  const wanted = new Set([...asked].filter((meaning) => !headed.has(meaning)));
  const isHeaded = wanted.size < asked.size;
  const ranked = sentences
    .map((sentence, place) => ({ sentence, place, hits: overlap(wanted, sentence).length }))
    .toSorted((one, other) => other.hits - one.hits || one.place - other.place);
  const most = ranked[0]?.hits ?? 0;
  const kept = ranked.filter((one) => one.hits === most && one.hits > 0).slice(0, 2);
  const chosen = kept.toSorted((one, other) => one.place - other.place).map((one) => one.sentence);
  return join(chosen.length > 0 ? chosen : sentences.slice(0, isHeaded ? 2 : 1));
}

function join(sentences: readonly string[]): string {
  return sentences.map((sentence) => sentence.replace(/([^.!?:])$/, '$1.')).join(' ');
}
