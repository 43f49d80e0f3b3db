import type { Json } from '../types.ts';
import { only, type Reading } from './reading.ts';

/** Control characters but line breaks. */
const CONTROLS = /[\p{Cc}--\n]/gv;

/** Reads a text: NFC, without control characters; half surrogates become U+FFFD. Line breaks stay in a long text. A list is joined by ", ". */
export function readText(raw: Json, { isLong }: { isLong: boolean }): Reading {
  const value = only(raw);
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => (item === null ? [] : [item]));
    if (!items.every(isPlain)) return { problem: 'is a list of more than texts' };
    return {
      value: clean(
        items
          .map((item) => String(item).trim())
          .filter(Boolean)
          .join(', '),
        isLong,
      ),
      remark: 'A list was joined.',
    };
  }
  if (!isPlain(value)) return { problem: 'is not a text' };
  return { value: clean(String(value), isLong) };
}

function isPlain(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function clean(text: string, isLong: boolean): string {
  // Most texts have nothing to clean.
  if (/^[\u0020-\u007e]*$/.test(text)) return text;
  const whole = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(CONTROLS, '')
    .normalize('NFC');
  return isLong ? whole : whole.replaceAll('\n', ' ');
}
