import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs';

/** Bytes of an encoded word; RFC 2047 allows 75. */
const WORD_MAX = 52;

/**
 * Returns a display name as it stands before `<address>` in a header of a mail (RFC 5322, RFC 2047): as it is, quoted, or encoded. An empty
 * name stays empty. A name that holds an encoded word is encoded itself, so that readers see what was typed and no other name or address.
 */
export function mailName(name: string): string {
  const line = name.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (/^[\w ]*$/.test(line)) return line;
  return /^[\x20-\x7e]*$/.test(line) && !line.includes('=?') ? quoteString(line) : encodeWord(line, 'Q', WORD_MAX);
}

/**
 * Returns a text of a header in which no reader finds an encoded word (RFC 2047): a word joiner, which is invisible, stands within what begins one. For
 * headers that nodemailer encodes, which passes encoded words on as they are.
 */
export function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', '=\u2060?');
}
