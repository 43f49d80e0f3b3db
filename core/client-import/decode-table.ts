import type { TableEncoding } from '@partner-portal/contract/vocabulary.ts';

/** How much of a file shows what it is. */
const SAMPLE_BYTES = 4_096;

const MARKS: readonly (readonly [encoding: TableEncoding, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

export type Decoded = { encoding: TableEncoding; text: string } | { problem: 'workbook' | 'encoding' };

/**
 * Decodes a file of a spreadsheet: by its byte order mark, by the zeros that Latin text has in UTF-16, as UTF-8 when it is valid, else as
 * Windows-1252. `given` overrides what was found. A mark is not part of the text.
 */
export function decodeTable(bytes: Uint8Array, given?: TableEncoding): Decoded {
  // A workbook is a ZIP archive, or a compound file of older programs.
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { problem: 'workbook' };
  const encoding = given ?? encodingOf(bytes);
  if (encoding !== null) {
    const text = decode(bytes, encoding);
    return text === null ? { problem: 'encoding' } : { encoding, text };
  }
  const text = decode(bytes, 'utf-8');
  return text === null ? { encoding: 'windows-1252', text: decode(bytes, 'windows-1252') ?? '' } : { encoding: 'utf-8', text };
}

function encodingOf(bytes: Uint8Array): TableEncoding | null {
  for (const [encoding, mark] of MARKS) if (startsWith(bytes, mark)) return encoding;
  const zeros = [0, 0];
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 4;
  if (odd > many && even < many / 4) return 'utf-16le';
  return even > many && odd < many / 4 ? 'utf-16be' : null;
}

function decode(bytes: Uint8Array, encoding: TableEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}
