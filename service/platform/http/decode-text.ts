import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../refuse.ts';

/** The text of bytes as UTF-8, and the remarks made while they were decoded. */
export type Decoded = { bytes: Buffer; remarks: string[] };

export const REPLACED = 'Some bytes are no UTF-8 and were replaced. Send the event as UTF-8, or name its charset in Content-Type.';
export const READ_AS_WESTERN = 'The form is no UTF-8 and names no charset. It was read as windows-1252.';

/** Returns the charset that a Content-Type names, in lower case; undefined without one. */
export function charsetOf(headers: IncomingHttpHeaders): string | undefined {
  const named = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(headers['content-type'] ?? '');
  return (named?.[1] ?? named?.[2])?.trim().toLowerCase() || undefined;
}

/** Returns the decoder of a charset, by the names that browsers know (WHATWG Encoding). Refuses one that is unknown. */
export function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    const shown = charset.slice(0, 40);
    throw new AppError('unsupported_media_type', { detail: `The charset "${shown}" is not known here. Send the event as UTF-8.` });
  }
}

/** Returns a text without its byte order mark, in UTF-8 when the mark says UTF-16. Nothing is copied where there is none. */
export function withoutMark(bytes: Buffer): Buffer {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return inUtf8(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return inUtf8(bytes, 'utf-16be');
  return bytes;
}

/**
 * Returns a JSON text in UTF-8: its byte order mark counts, then the pattern of its first character, then UTF-8 where the bytes are valid as such
 * (RFC 8259), then the charset of the Content-Type. Refuses a charset that is unknown.
 */
export function jsonInUtf8(given: Buffer, charset: string | undefined): Decoded {
  const decoder = charset === undefined || charset === 'utf-8' || charset === 'utf8' ? undefined : decoderOf(charset);
  const bytes = withoutMark(given);
  if (bytes !== given) return { bytes, remarks: remarksOf(bytes) };
  // A JSON text begins with a character of ASCII, so one byte of its first two is zero in UTF-16.
  if (bytes[1] === 0 && bytes[0] !== 0) return { bytes: inUtf8(bytes, 'utf-16le'), remarks: [] };
  if (bytes[0] === 0 && bytes[1] !== 0) return { bytes: inUtf8(bytes, 'utf-16be'), remarks: [] };
  if (isUtf8(bytes)) return { bytes, remarks: [] };
  return decoder ? { bytes: Buffer.from(decoder.decode(bytes)), remarks: [] } : { bytes, remarks: remarksOf(bytes) };
}

function remarksOf(bytes: Buffer): string[] {
  return isUtf8(bytes) ? [] : [REPLACED];
}

function inUtf8(bytes: Buffer, charset: 'utf-16le' | 'utf-16be'): Buffer {
  return Buffer.from(new TextDecoder(charset).decode(bytes));
}
