import { wordsOf } from './words.ts';

/** Postgres keeps no position after this one. */
const POSITION_MAX = 16_383;
const POSITIONS_PER_WORD_MAX = 200;

/** Returns a passage as the text of a `tsvector`: words of the heading weigh A, of the title B, of the content D. */
export function searchVector(passage: { title: string; heading: string; content: string }): string {
  const positions = new Map<string, string[]>();
  let at = 0;
  const parts = [
    [passage.heading, 'A'],
    [passage.title, 'B'],
    [passage.content, ''],
  ] as const;
  for (const [text, weight] of parts) {
    for (const word of wordsOf(text)) {
      at = Math.min(at + 1, POSITION_MAX);
      const known = positions.get(word) ?? [];
      if (known.length < POSITIONS_PER_WORD_MAX) known.push(`${at}${weight}`);
      positions.set(word, known);
    }
  }
  // Words are letters and digits only, so that nothing needs escaping.
  return [...positions].map(([word, all]) => `'${word}':${all.join(',')}`).join(' ');
}
