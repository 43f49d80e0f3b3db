import { hash } from 'node:crypto';

/** Returns the name of a statement's text; undefined while it has none. */
export type StatementNames = (text: string) => string | undefined;

export type StatementNamesOptions = {
  /** Most texts that get a name: every connection stores what it prepared. */
  max?: number;
  /** How often a text is seen before it gets one. */
  after?: number;
  /** Most texts without a name that are counted at a time. */
  watched?: number;
};

/** A single statement that the server can prepare. */
const NAMEABLE = /^\s*(?:select|insert|update|delete|with)\b[^;]*$/i;
const LENGTH_MAX = 8_000;

/**
 * Names repeated texts, so that the server plans them once per connection: with row-level security planning costs more than most reads. The
 * number of names is bounded; further texts are sent without one. Names derive from the text alone, so that processes behind a connection
 * pooler agree.
 */
export function createStatementNames({ max = 120, after = 3, watched = 1_000 }: StatementNamesOptions = {}): StatementNames {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= max || text.length > LENGTH_MAX) return known;
    const times = (seen.get(text) ?? 0) + 1;
    if (times < after) {
      // Frequent texts are soon counted again.
      if (seen.size >= watched) seen.clear();
      seen.set(text, times);
      return undefined;
    }
    seen.delete(text);
    if (!NAMEABLE.test(text)) return undefined;
    const name = `b_${hash('sha256', text, 'base64url').slice(0, 22)}`;
    names.set(text, name);
    return name;
  };
}
