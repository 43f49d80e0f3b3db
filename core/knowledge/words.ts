const WORD_LENGTH_MAX = 40;
/** Letters that Unicode does not take apart, as people write them without their keys. */
const SPELLED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };
/** Scripts without spaces between words: their runs are cut into pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_RUNS = new RegExp(`(${UNSPACED.source}+)`, 'u');
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Returns a text without case and accents, so that both sides of a search are spelled alike. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFC');
}

/** Returns the words of a text in their order, folded. A language without spaces gives pairs of characters. */
export function wordsOf(text: string): string[] {
  // An apostrophe joins: "don't" is one word, also with the other kind.
  const joined = fold(text).replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
  return (joined.match(WORDS) ?? []).flatMap((word) => (UNSPACED.test(word) ? cutUnspaced(word) : [word.slice(0, WORD_LENGTH_MAX)]));
}

function cutUnspaced(word: string): string[] {
  return word
    .split(UNSPACED_RUNS)
    .filter((part) => part !== '')
    .flatMap((part) => (UNSPACED.test(part) ? pairsOf([...part]) : [part.slice(0, WORD_LENGTH_MAX)]));
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters];
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}
