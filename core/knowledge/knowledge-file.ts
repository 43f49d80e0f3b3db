import { decodeText, looksLikeText } from './decode-text.ts';
import { KNOWLEDGE_TYPES, type KnowledgeType } from './knowledge-types.ts';

const NAME_MAX = 120;

/** The beginning of a text in a format of another program, whose codes would be learnt and shown as words. */
const MARKUP = /^\s*(?:\{\\rtf|<!doctype|<html|<svg|<\?xml)/i;

/** Returns what a file is, judged by its bytes; the name only separates Markdown from other text. Null for anything else. */
export function knowledgeTypeOf(bytes: Uint8Array, filename: string): KnowledgeType | null {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  if (head.includes('%PDF-')) return 'application/pdf';
  if (!looksLikeText(bytes) || MARKUP.test(decodeText(bytes.subarray(0, 1_024)) ?? '')) return null;
  const name = filename.toLowerCase();
  return KNOWLEDGE_TYPES['text/markdown'].endings.some((ending) => name.endsWith(ending)) ? 'text/markdown' : 'text/plain';
}

/** Returns the title of a file: its name without folders and ending. */
export function titleOf(filename: string): string {
  const last = filename.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const stem = last
    .replace(/\p{C}/gu, '')
    .replace(/\.[A-Za-z0-9]{1,8}$/, '')
    .trim();
  return [...stem].slice(0, NAME_MAX).join('').trim() || 'File';
}

export const PAGES_MAX = 500;
export const CHARACTERS_MAX = 1_000_000;

/** Why nothing was read from a document, as its owner reads it. */
export const READ_PROBLEMS = {
  encrypted: 'The PDF is protected with a password. Upload a copy without one.',
  no_text: 'There is no text in the file. If it was scanned, upload it with recognised text.',
  damaged: 'The file is damaged and could not be read.',
  too_many_pages: `The PDF has more than ${PAGES_MAX} pages. Upload the parts that visitors ask about.`,
  too_long: `The file has more than ${CHARACTERS_MAX.toLocaleString('en')} characters. Upload the parts that visitors ask about.`,
  too_large: 'The PDF is too large when it is unpacked. Save it again from its program, or upload it as text.',
  too_slow: 'Reading the file took too long. Save it again from its program, or upload it as text.',
} as const;
export type ReadProblem = keyof typeof READ_PROBLEMS;
