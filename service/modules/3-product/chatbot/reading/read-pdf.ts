import { CHARACTERS_MAX, PAGES_MAX, type ReadProblem } from '@partner-portal/core/knowledge/knowledge-file.ts';
import { clean } from '@partner-portal/core/knowledge/decode-text.ts';
import { getDocumentProxy } from 'unpdf';
import { unpacksTooLarge } from './unpacked-size.ts';

export type ReadText = { kind: 'text'; text: string } | { kind: 'failed'; problem: ReadProblem };
type Item = { str: string; hasEOL: boolean; height: number; transform: unknown[] };

const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
/** Minimum size of a heading, relative to the usual text. */
const HEADING_SCALE = 1.25;

/** Returns the text of a PDF with its headings marked, page by page. Runs in a thread: a PDF of a stranger may do anything to its reader. */
export async function readPdf(bytes: Uint8Array): Promise<ReadText> {
  if (unpacksTooLarge(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), UNPACKED_BYTES_MAX)) return failed('too_large');
  try {
    const document = await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: 1,
      verbosity: 0,
    });
    const { info } = await document.getMetadata();
    // Its runs could not be measured before.
    if ('EncryptFilterName' in info && info.EncryptFilterName) return failed('encrypted');
    if (document.numPages > PAGES_MAX) return failed('too_many_pages');
    let text = '';
    for (let n = 1; n <= document.numPages; n += 1) {
      const page = await document.getPage(n);
      const { items } = await page.getTextContent();
      text += `${linesOf(items.filter((item): item is typeof item & Item => 'str' in item))}\n\n`;
      page.cleanup();
      if (text.length > CHARACTERS_MAX) return failed('too_long');
    }
    return { kind: 'text', text: clean(text) };
  } catch (error) {
    return failed(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}

function failed(problem: ReadProblem): ReadText {
  return { kind: 'failed', problem };
}

type Line = { text: string; height: number; y: number };

/** Puts the pieces of a page together: a large gap between lines begins a paragraph, a large line is a heading. */
function linesOf(items: readonly Item[]): string {
  const lines: Line[] = [];
  let current: Line | null = null;
  for (const item of items) {
    const y = Number(item.transform[5] ?? 0);
    current ??= { text: '', height: 0, y };
    current.text += item.str;
    current.height = Math.max(current.height, item.height);
    if (!item.hasEOL) continue;
    lines.push(current);
    current = null;
  }
  if (current) lines.push(current);
  const usual = usualHeight(lines);
  let text = '';
  for (const [at, { text: line, height, y }] of lines.entries()) {
    const above = lines[at - 1];
    const isHeading = usual > 0 && height > usual * HEADING_SCALE && line.trim() !== '' && line.length < 120;
    const isApart = above !== undefined && Math.abs(above.y - y) > Math.max(usual, height) * 1.9;
    if (isHeading) text += `\n\n# ${line.trim()}\n\n`;
    else text += `${isApart ? '\n\n' : ''}${line}\n`;
  }
  // A word that was divided at the end of a line.
  return text.replace(/(\p{Ll})-\n(\p{Ll})/gu, '$1$2');
}

/** The height of most letters. */
function usualHeight(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { text, height } of lines) letters.set(height, (letters.get(height) ?? 0) + text.length);
  return [...letters].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
