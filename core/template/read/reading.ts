import type { Locale } from '@partner-portal/contract/locales.ts';
import type { DATE_ORDERS } from '@partner-portal/contract/records/agent.ts';
import { asciiDigits } from '../../contact/digits.ts';
import type { Json } from '../types.ts';

/** How a value without its own country, zone or language is read. `countries`: ISO codes, the client's own country first; may be empty. */
export type ReadingClient = { timezone: string; countries: readonly string[]; locale: Locale; dateOrder?: DateOrder };
export type DateOrder = (typeof DATE_ORDERS)[number];

/**
 * What one value is read as: its canonical value, with what was noticed, or why it cannot be understood, as the end of the sentence
 * "“Start time” …".
 */
export type Reading = { value: Json; remark?: string } | { problem: string };

/** Characters that no one sees, such as direction marks, at the edges of pasted values. */
const INVISIBLE = /[[\p{Cf}\p{Cc}]--[\t\n\r]]/gv;

/** The longest text that is read for a value of a form: several mail addresses. Compatibility characters can make eighteen of one. */
export const TEXT_LENGTH_MAX = 4_000;

/** Returns the text of a value that is one text or number, also as the only item of a list, without what no one sees; null for any other, and a longer one. */
export function plainText(raw: Json): string | null {
  const value = only(raw);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return null;
  return asciiDigits(value.toWellFormed().normalize('NFKC'))
    .replace(INVISIBLE, '')
    .replace(/[\p{Zs}\t\r\n]+/gu, ' ')
    .trim();
}

/** Returns the item of a list of one, as repeated fields of forms are; any other value as it is. */
export function only(raw: Json): Json {
  return Array.isArray(raw) && raw.length === 1 ? (raw[0] ?? null) : raw;
}

/** Returns a text without the quotes around it. */
export function unquoted(text: string): string {
  return stripped(text, QUOTES, QUOTES).trim();
}

const QUOTES = `"'“”„‘’«»`;

/** Returns a text without these characters at its begin and its end. `/[…]+$/` would read a run of them within a text once from each of its characters. */
export function stripped(text: string, atBegin: string, atEnd: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && atBegin.includes(text.charAt(from))) from += 1;
  while (to > from && atEnd.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Lower case without accents, so that words are found in any spelling. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
