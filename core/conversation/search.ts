import { fold } from '../knowledge/words.ts';

const WORDS_MAX = 8;

/** Letters a–z and digits start too many words for a prefix search: one of them alone is compared as a whole word. */
const WHOLE = /^[a-z\d]$/;

/**
 * Returns what a search of conversations looks for: all words without accents, each as the start of a word, in Postgres' syntax of the
 * configuration `simple`; and the start of a visitor's label as a pattern (`label`: the text as labels are stored). Null for a text without letters and digits.
 */
export function conversationSearch(text: string, label = text): { words: string; label: string } | null {
  const words = fold(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
  if (words.length === 0) return null;
  return {
    words: words.map((word) => (WHOLE.test(word) ? `'${word}'` : `'${word}':*`)).join(' & '),
    label: `${label
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')}%`,
  };
}
