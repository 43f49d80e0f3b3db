/** ` (did you mean X?)` when `word` looks like a slip of one of `known`, else nothing. */
export function nearest(word: string, known: readonly string[]): string {
  const ranked = known.map((name) => ({ name, edits: countEdits(word, name) })).sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= 3 ? ` (did you mean ${best.name}?)` : '';
}

/** Single-letter edits between two words (Levenshtein). */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
