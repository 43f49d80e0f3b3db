import { LIMITS, type MediaType } from '@partner-portal/contract/vocabulary.ts';
import { directoryProblem } from './pdf-problem.ts';

/** Why a file is refused, judged by its bytes alone. `trailing_data`: something else follows its end, as in files that are two kinds at once. */
export type FileProblem =
  | 'truncated'
  | 'trailing_data'
  | 'animated'
  | 'malformed'
  | 'html'
  | 'too_many_pixels'
  | 'unreadable'
  | 'encrypted';

/** Problems shown to the sender of a refused file. */
export const FILE_PROBLEM_TEXTS: Readonly<Record<FileProblem, string>> = {
  truncated: 'The file is incomplete. Upload it again.',
  trailing_data: 'There is extra data after the end of this file. Save it again, then upload it.',
  animated: 'Animated images are not accepted. Upload a still one.',
  malformed: 'The file is damaged.',
  html: 'This PDF also contains a web page, which is not accepted.',
  too_many_pixels: `The image has too many pixels: at most ${LIMITS.mediaPixelsMax / 1_000_000} million.`,
  unreadable: 'The file could not be read. It may be damaged.',
  encrypted: 'The PDF is protected by a password. Upload it without one.',
};

/** Returns the kind of a file by its first bytes, not by its name and declared type; null for any that is not accepted, such as SVG. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP')) return 'image/webp';
  return hasText(bytes, 0, '%PDF-') ? 'application/pdf' : null;
}

/** Returns what is wrong with the outer form of a file of this kind: it must end where it says, and be nothing else besides. */
export function containerProblem(type: MediaType, bytes: Uint8Array): FileProblem | null {
  return PROBLEM_OF[type](bytes);
}

const PROBLEM_OF: Readonly<Record<MediaType, (bytes: Uint8Array) => FileProblem | null>> = {
  'image/png': pngProblem,
  'image/jpeg': jpegProblem,
  'image/webp': webpProblem,
  'application/pdf': pdfProblem,
};

function pngProblem(bytes: Uint8Array): FileProblem | null {
  const view = viewOf(bytes);
  for (let at = 8; ;) {
    if (at + 12 > bytes.length) return 'truncated';
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (at === 8 && !(length === 13 && hasText(bytes, at + 4, 'IHDR'))) return 'malformed';
    if (end > bytes.length) return 'truncated';
    if (hasText(bytes, at + 4, 'acTL')) return 'animated';
    if (hasText(bytes, at + 4, 'IEND')) return end === bytes.length ? null : 'trailing_data';
    at = end;
  }
}

/** Cameras and browsers write a dozen at most. Each costs a pass over all pixels and some bytes, and a decoder cannot be stopped within them. */
const SCANS_MAX = 50;

function jpegProblem(bytes: Uint8Array): FileProblem | null {
  const view = viewOf(bytes);
  let scans = 0;
  for (let at = 2; ;) {
    if (at + 2 > bytes.length) return 'truncated';
    if (bytes[at] !== 0xff) return 'malformed';
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === 0xd9) return at + 2 === bytes.length ? null : 'trailing_data';
    else if (marker === 0x01 || isRestart(marker)) at += 2;
    else {
      if (at + 4 > bytes.length) return 'truncated';
      at += 2 + view.getUint16(at + 2);
      if (marker === 0xda) {
        scans += 1;
        if (scans > SCANS_MAX) return 'malformed';
        at = endOfScan(bytes, at);
      }
    }
  }
}

/** Returns where the compressed data ends: at the next marker that is not part of it. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return bytes.length;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function webpProblem(bytes: Uint8Array): FileProblem | null {
  const view = viewOf(bytes);
  if (bytes.length < 20) return 'truncated';
  const end = view.getUint32(4, true) + 8;
  if (end > bytes.length) return 'truncated';
  if (end < bytes.length) return 'trailing_data';
  for (let at = 12; at < end;) {
    if (at + 8 > end) return 'malformed';
    if (hasText(bytes, at, 'ANIM') || hasText(bytes, at, 'ANMF')) return 'animated';
    const length = view.getUint32(at + 4, true);
    if (at + 8 + length > end) return 'truncated';
    at += 8 + length + (length % 2);
  }
  return null;
}

/** Tags that make a browser see a web page. Shorter ones also occur in compressed data by chance. */
const HTML = /<(?:!doctype|html|script|iframe)/i;
/** Any tag that runs a script by an event. Each tag ends before the next begins, so that every letter is read once. */
const HANDLER = /<[a-z][^<>]{0,2000}[\s"'/]on[a-z]{3,30}\s*=/i;
const ZIP_END = 'PK\u0005\u0006';
const ZIP_END_BYTES = 22;
const ZIP_ENTRY = 'PK\u0001\u0002';

function pdfProblem(bytes: Uint8Array): FileProblem | null {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.lastIndexOf('%%EOF');
  if (end === -1) return 'truncated';
  if (text.slice(end + 5).trim() !== '') return 'trailing_data';
  if (HTML.test(text) || HANDLER.test(text)) return 'html';
  return endsAsZip(text) ? 'trailing_data' : directoryProblem(text, end);
}

/**
 * A zip file is read from its end: a record, and a comment, which may be the rest of the PDF. Many programs also take one with something else
 * behind the record, if the directory of the archive is before it.
 */
function endsAsZip(text: string): boolean {
  const first = Math.max(0, text.length - ZIP_END_BYTES - 65_535);
  const entry = text.indexOf(ZIP_ENTRY);
  for (let at = text.lastIndexOf(ZIP_END); at >= first; at = text.lastIndexOf(ZIP_END, at - 1)) {
    const comment = text.charCodeAt(at + 20) + text.charCodeAt(at + 21) * 256;
    if (at + ZIP_END_BYTES + comment === text.length || (entry !== -1 && entry < at)) return true;
    if (at === 0) break;
  }
  return false;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
