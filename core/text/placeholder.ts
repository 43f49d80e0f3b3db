/** What programs and people write where nothing was entered, without signs and in lower case: "n/a", "#N/A", "k. A.". */
export const EMPTY_WORDS: readonly string[] = [
  'na',
  'none',
  'null',
  'nil',
  'undefined',
  'nan',
  'empty',
  'ka',
  'keine',
  'keine angabe',
  'leer',
  'nd',
  'sd',
  'ninguno',
  'ninguna',
];

/** Whether a text stands for nothing: a dash, a dot, or one of the words. A question mark does not. */
export function isPlaceholder(text: string): boolean {
  if (/^[\p{Pd}\p{Pc}\s./\\|*#…]*$/u.test(text)) return true;
  return EMPTY_WORDS.includes(
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s]|(?<=\.)\s/gu, '')
      .trim(),
  );
}
