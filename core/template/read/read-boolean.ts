import type { Json } from '../types.ts';
import { folded, only, plainText, type Reading, unquoted } from './reading.ts';

/** English, German, Spanish and French, folded. */
const TRUE = new Set([
  'true',
  'yes',
  'y',
  'on',
  '1',
  't',
  'checked',
  'ja',
  'j',
  'wahr',
  'an',
  'si',
  's',
  'verdadero',
  'oui',
  'vrai',
  'x',
  '✓',
  '✔',
  '☑',
]);
const FALSE = new Set(['false', 'no', 'n', 'off', '0', 'f', 'unchecked', 'nein', 'falsch', 'aus', 'falso', 'non', 'faux', '✗', '✘', '☐']);

const NOT = new Set(['not', 'never', 'nicht', 'kein', 'keine', 'sin', 'nunca', 'pas']);

/** Longer than any word that an input adds. */
const WORD_LENGTH_MAX = 200;
const NEITHER = { problem: 'is neither yes nor no' } as const;

type YesNoWords = { trueWords?: readonly string[]; falseWords?: readonly string[]; trueWithin?: readonly string[] };

/** Reads yes or no: in the languages of the portal and by the words that the input adds. A form's list of a hidden field and a checkbox: the last. */
export function readBoolean(raw: Json, words: YesNoWords): Reading {
  const value = Array.isArray(raw) ? (raw.at(-1) ?? null) : only(raw);
  if (typeof value === 'boolean') return { value };
  const text = plainText(value);
  if (text !== null && text.length > WORD_LENGTH_MAX) return NEITHER;
  const word = text === null ? '' : folded(unquoted(text)).replace(/[.!]+$/, '');
  if (TRUE.has(word) || isOneOf(words.trueWords, word)) return { value: true };
  if (FALSE.has(word) || isOneOf(words.falseWords, word)) return { value: false };
  if (text !== null && hasWordOf(words.trueWithin, text)) return { value: true };
  return NEITHER;
}

/** Lengths of the phrases that a text may begin with, in words: "deleted by", "vom kunden gelöscht". */
const PHRASE_WORDS = [2, 3];

/**
 * Whether one of the words is among those of a text, "CANCELLED_BY_CUSTOMER" or "LateCancelled", and none of them denies it. A phrase counts at the beginning
 * only: "Declined by host", not "Payment declined by bank".
 */
function hasWordOf(words: readonly string[] | undefined, text: string): boolean {
  if (words === undefined) return false;
  const parts = folded(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
  const isBegun = PHRASE_WORDS.some((count) => isOneOf(words, parts.slice(0, count).join('')));
  const at = isBegun ? 0 : parts.findIndex((part) => isOneOf(words, part));
  const isDenied = parts.slice(0, at).some((part) => NOT.has(part)) || parts[at - 1] === 'no' || FALSE.has(parts.at(-1) ?? '');
  return at >= 0 && !isDenied;
}

/** "awaiting_response", "Awaiting response" and "awaiting-response" are one word. */
function isOneOf(words: readonly string[] | undefined, word: string): boolean {
  if (words === undefined) return false;
  let known = joinedWords.get(words);
  if (known === undefined) joinedWords.set(words, (known = new Set(words.map((one) => withoutSeparators(folded(one))))));
  return known.has(withoutSeparators(word));
}

/** The words of an input as they are compared; they are folded once, not for each event. */
const joinedWords = new WeakMap<readonly string[], Set<string>>();

function withoutSeparators(word: string): string {
  return word.replace(/[\s_\p{Pd}]+/gu, '');
}
