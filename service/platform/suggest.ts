/** Returns ` (did you mean X?)` for the known name within three edits of `name`, else an empty text. */
export function suggest(name: string, known: readonly string[]): string {
  const ranked = known.map((one) => ({ one, edits: countEdits(name, one) })).sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= 3 ? ` (did you mean ${best.one}?)` : '';
}

/** Returns the known name that differs by one typing error: a letter added, missing or replaced, or two neighbours swapped. */
export function findTypo(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => isOneTypo(name, one));
}

function isOneTypo(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  if (restA.length === restB.length + 1) return restA.slice(1) === restB;
  if (restB.length === restA.length + 1) return restB.slice(1) === restA;
  if (restA.length !== restB.length || restA === '') return false;
  const isSwap = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return isSwap || restA.slice(1) === restB.slice(1);
}

/** Returns the Levenshtein distance of two names. */
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
