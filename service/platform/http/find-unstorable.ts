/** Deeper than any real input. Beyond it, schemas and the database would run out of stack. */
const DEPTH_MAX = 100;

export type Unstorable = { path: string; code: 'too_deep' | 'invalid_characters'; message: string };

/**
 * Returns the first part of a parsed query or body that cannot be stored, or null: endless nesting and, where `anyText` is false, characters
 * that neither a text nor a JSON column takes (NUL, unpaired surrogates).
 */
export function findUnstorable(value: unknown, { anyText }: { anyText: boolean }): Unstorable | null {
  // Built while returning only: nearly every input has nothing to report.
  const path: string[] = [];
  const code = search(value, { depth: 0, anyText, path });
  if (!code) return null;
  const message =
    code === 'too_deep' ? `This is nested deeper than ${DEPTH_MAX} levels.` : 'This text contains a character that cannot be stored.';
  return { path: path.toReversed().slice(0, 5).join('.'), code, message };
}

type Position = { depth: number; anyText: boolean; path: string[] };

function search(value: unknown, position: Position): Unstorable['code'] | null {
  if (typeof value === 'string') return position.anyText || isStorable(value) ? null : 'invalid_characters';
  if (typeof value !== 'object' || value === null) return null;
  if (position.depth > DEPTH_MAX) return 'too_deep';
  const inside = { ...position, depth: position.depth + 1 };
  for (const key in value) {
    const code = position.anyText || isStorable(key) ? search(Reflect.get(value, key), inside) : 'invalid_characters';
    if (!code) continue;
    position.path.push(key.replaceAll('\u0000', '').toWellFormed());
    return code;
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
