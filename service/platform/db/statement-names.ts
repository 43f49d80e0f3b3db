import { hash } from 'node:crypto';
import { sql } from 'kysely';

/** The name of a statement's text; undefined while it has none. */
export type StatementNames = (text: string) => string | undefined;

export type StatementNamesOptions = {
  /** Texts that are given a name at the most: every connection keeps what it prepared. */
  max?: number;
  /** How often a text is seen before it is given one. */
  after?: number;
  /** Texts without a name that are counted at a time. */
  watched?: number;
};

/**
 * Stands before a statement that goes without a name because its best plan follows from its very values: lists and sums over runs, entries
 * and calls, of which one agency has millions and its neighbour none. A kept plan for both would walk through the one's to find nothing of
 * the other's.
 */
export const PLANNED_ANEW = sql.raw('/* planned anew */ ');

/** What the server prepares by name and what is one statement for certain. */
const NAMEABLE = /^\s*(?:select|insert|update|delete|with)\b[^;]*$/i;
const LENGTH_MAX = 8_000;

/**
 * Gives names to texts that come again and again, so that the server plans them once per connection: row-level security makes planning dearer
 * than most reads. Bounded in all it keeps, whatever variants a builder makes; what finds no place goes without a name, as correct as before.
 * The name follows from the text alone, so two processes behind one connection pooler never mean different texts by one name.
 */
export function createStatementNames({ max = 120, after = 3, watched = 1_000 }: StatementNamesOptions = {}): StatementNames {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= max || text.length > LENGTH_MAX) return known;
    const times = (seen.get(text) ?? 0) + 1;
    if (times < after) {
      // Whatever comes often is soon counted again.
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
