/** The number behind the last `startxref`: where the directory of the document begins. */
const START = /startxref\s+(\d{1,10})\s*$/;
const START_LENGTH = 64;
const TABLE = /^\s*xref\b/;
const STREAM = /^\s*\d{1,10}\s+\d{1,5}\s+obj\b/;
const HEAD_LENGTH = 64;

/**
 * Returns what is wrong with the directory of a PDF, by the part of it that is never compressed: it is where the end says, has a root, and no
 * password. Nothing is decompressed: a few kilobytes can hold streams that grow beyond any memory. `end`: where `%%EOF` is.
 */
export function directoryProblem(text: string, end: number): 'unreadable' | 'encrypted' | null {
  const start = START.exec(text.slice(Math.max(0, end - START_LENGTH), end));
  const at = Number(start?.[1] ?? Number.NaN);
  if (!(at < end)) return 'unreadable';
  const dictionary = dictionaryAt(text, at);
  if (dictionary === null || !/\/Root\b/.test(dictionary)) return 'unreadable';
  return /\/Encrypt\b/.test(dictionary) ? 'encrypted' : null;
}

/** Returns the text of the directory's dictionary: that of its trailer, or that of the stream which is the directory. */
function dictionaryAt(text: string, at: number): string | null {
  const head = text.slice(at, at + HEAD_LENGTH);
  if (TABLE.test(head)) return between(text, text.indexOf('trailer', at), 'startxref');
  return STREAM.test(head) ? between(text, at, 'stream') : null;
}

function between(text: string, from: number, last: string): string | null {
  const to = from === -1 ? -1 : text.indexOf(last, from);
  return to === -1 ? null : text.slice(from, to);
}
