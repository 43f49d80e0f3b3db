/** Made at the first cut, because most pages need none. */
let signs: Intl.Segmenter | undefined;
/** Longer clusters, such as a letter under hundreds of accents, are no text that anyone reads and may be cut. */
const CLUSTER_MAX = 64;

/** Returns the beginning of a text, at most `max` UTF-16 units, cut between signs as people see them: never within an emoji or an accented letter. */
export function beginOf(text: string, max: number): string {
  if (text.length <= max) return text;
  signs ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const at = signs.segment(text.slice(0, max + CLUSTER_MAX)).containing(max)?.index ?? max;
  return text.slice(0, at > max - CLUSTER_MAX ? at : max).toWellFormed();
}

/** The same with "…" in place of the rest, which counts towards `max`. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${beginOf(text, max - 1)}…`;
}
