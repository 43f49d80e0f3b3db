import { hash } from 'node:crypto';
import { sql } from 'kysely';

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

/**
 * Marks a statement that is never prepared because its best plan depends on its values: lists and sums of which one tenant has millions of
 * rows and another none.
 */
export const PLANNED_ANEW = sql.raw('/* planned anew */ ');

/** Few: each has a text of its own, and texts with a name are bounded. */
const KEPT_SIZES = [8, 26, 51, 101] as const;

/**
 * Returns the next of the few page sizes that are written into a statement, for a list whose best plan is the same for all values: only when the server
 * knows how few rows are wanted does it keep one plan. Undefined for a larger page. The caller cuts off what it did not ask for.
 */
export function keptPageSize(limit: number): number | undefined {
  return KEPT_SIZES.find((size) => size >= limit);
}

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
