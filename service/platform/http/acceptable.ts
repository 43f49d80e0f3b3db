/** Deeper than anybody means. Further down the schemas and the database would run out of stack, which is no answer. */
const DEPTH_MAX = 100;

export type Unacceptable = { path: string; code: 'too_deep' | 'invalid_characters'; message: string };

/**
 * What a parsed query or body may not hold, wherever it stands: a nesting without end and, where `anyText` is false, the
 * characters that neither a text nor a JSON column takes (NUL, half of a surrogate pair). Null when there is nothing.
 */
export function findUnacceptable(value: unknown, { anyText }: { anyText: boolean }): Unacceptable | null {
  // The path is put together on the way back only: nearly always there is none to tell.
  const path: string[] = [];
  const code = look(value, { depth: 0, anyText, path });
  if (!code) return null;
  const message =
    code === 'too_deep' ? `This is nested deeper than ${DEPTH_MAX} levels.` : 'This text holds a character that cannot be kept.';
  return { path: path.toReversed().slice(0, 5).join('.'), code, message };
}

type Place = { depth: number; anyText: boolean; path: string[] };

function look(value: unknown, place: Place): Unacceptable['code'] | null {
  if (typeof value === 'string') return place.anyText || isStorable(value) ? null : 'invalid_characters';
  if (typeof value !== 'object' || value === null) return null;
  if (place.depth > DEPTH_MAX) return 'too_deep';
  const inside = { ...place, depth: place.depth + 1 };
  for (const key in value) {
    const code = place.anyText || isStorable(key) ? look(Reflect.get(value, key), inside) : 'invalid_characters';
    if (!code) continue;
    place.path.push(key.replaceAll('\u0000', '').toWellFormed());
    return code;
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
