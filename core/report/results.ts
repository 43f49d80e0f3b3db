import type { Template } from '../template/types.ts';

/**
 * Counts of runs. `helped` is the number of results: runs that succeeded, did not end early and asked their customer. It is counted once, when a
 * run ends, by `finish_executions`.
 */
export type CountedRuns = { helped: number };

/** Returns the results in these counts: the one number of a month that pages, reports and mail show. */
export function resultsIn(rows: readonly CountedRuns[]): number {
  return rows.reduce((sum, { helped }) => sum + helped, 0);
}

/** Returns the results by a property of their rows, in the order in which its values first appear. */
export function resultsBy<Row extends CountedRuns, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + row.helped);
  return counts;
}

/** Returns what follows a number of results, such as "missed calls answered by text". */
export function phraseOf({ one, many, withChats }: Template['resultsPhrase'], count: number, isRunByChats: boolean): string {
  const words = isRunByChats && withChats ? withChats : { one, many };
  return count === 1 ? words.one : words.many;
}
