/** What a customer wrote and allowed to be quoted, as a run reported it. */
export type CustomerWords = { id: string; words: string; customer: string; rating: number };

/** Shorter says little, longer is cut on the page. */
const LENGTH = { least: 12, most: 240 };

/**
 * Returns the words to show of these: of the best rating, then the longest that are quoted whole, then the newest. `id`: of the run, which is
 * ordered by time. Null when none says anything.
 */
export function bestWords(all: readonly CustomerWords[]): CustomerWords | null {
  const fitting = all
    .map((one) => ({ ...one, words: one.words.replace(/\s+/g, ' ').trim() }))
    .filter(({ words }) => words.length >= LENGTH.least && words.length <= LENGTH.most)
    .toSorted((a, b) => b.rating - a.rating || b.words.length - a.words.length || (a.id < b.id ? 1 : -1));
  return fitting[0] ?? null;
}
