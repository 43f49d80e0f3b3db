import { isObject } from '../json/is-object.ts';

/** Reads the values that placeholders such as `{input.name}` refer to. */

/** Longest text of one value, in UTF-16 units: longer than any setting. */
export const VALUE_TEXT_MAX = 16_000;
/** Lists nested deeper than this are no text. */
const LIST_DEPTH_MAX = 8;

/** Returns the value at a path as text, at most `VALUE_TEXT_MAX` long; empty for anything but texts, numbers, booleans and lists of these. */
export function readText(values: unknown, path: string): string {
  let value = values;
  for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return plain(value);
}

/** Returns a value as text, at most `VALUE_TEXT_MAX` long. */
export function plain(value: unknown): string {
  return cutText(plainList(value, 0), VALUE_TEXT_MAX);
}

function plainList(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value) || depth >= LIST_DEPTH_MAX) return '';
  let text = '';
  for (const [index, item] of value.entries()) {
    text += (index === 0 ? '' : ', ') + plainList(item, depth + 1);
    if (text.length > VALUE_TEXT_MAX) break;
  }
  return text;
}

/** Returns the text, or its beginning with `…`: at most `max` UTF-16 units, cut between characters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

/**
 * Replaces each match of `pattern` by the value of its first group. Stops once the text is longer than `max`, so the work is bounded by `max`
 * and one value, for any number of placeholders.
 */
export function fillBounded(text: string, pattern: RegExp, valueOf: (name: string) => string, max: number): string {
  let filled = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    filled += text.slice(at, match.index) + valueOf(match[1] ?? '');
    at = match.index + match[0].length;
    if (filled.length > max) return cutText(filled, max);
  }
  return cutText(filled + text.slice(at), max);
}
