import { inflateRawSync } from 'node:zlib';

const LEVELS_MAX = 4;
/** Runs of an older compression, which cannot be measured without unpacking: refused beyond this size of a file. */
const OLD_RUNS_BYTES_MAX = 256 * 1024;
/** A whole name: its three letters stand by chance in every fourth file of 5 MB. */
const OLD_RUNS = /\/LZW(?:Decode)?(?=[\s\0()<>[\]{}/%]|$)/;

/** Characters of one list of filters: no honest one is as long. */
const FILTERS_MAX = 4_096;
/** How many times the size of the file is read as base-85 text: streams of an honest file do not overlap. */
const TEXT_READS_MAX = 4;
/** Bytes that a reader skips before the data of a stream. The data itself begins with none of these. */
const BLANKS = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);

/**
 * Returns whether the streams of a PDF have more than `bytesMax` bytes together when they are unpacked. A library that reads the PDF would hold them in
 * memory outside of any heap limit. A stream that is compressed inside another form cannot be measured here, and counts as too large; but the base-85
 * text around one compression, which common writers of PDFs use, is read.
 */
export function unpacksTooLarge(bytes: Buffer, bytesMax: number): boolean {
  const text = withoutEscapes(bytes);
  if ((bytes.length > OLD_RUNS_BYTES_MAX && OLD_RUNS.test(text)) || hidesRuns(text)) return true;
  let left = bytesMax;
  let textLeft = TEXT_READS_MAX * bytes.length;
  let at = bytes.indexOf('stream');
  while (at !== -1) {
    const start = at + 'stream'.length;
    const isEnd = bytes.subarray(at - 3, at).toString('latin1') === 'end';
    if (!isEnd) {
      // Readers skip blanks, or all that stands before the line ends. The data says itself where it ends.
      let used = 0;
      for (const from of new Set([afterBlanks(bytes, start), afterLine(bytes, start)])) {
        const text = readBase85(bytes, from, textLeft);
        if (text === null) return true;
        textLeft -= text.length;
        used = Math.max(used, unpackedSize(bytes.subarray(from), left, 1) ?? Infinity, unpackedSize(text, left, 1) ?? Infinity);
      }
      if (used === Infinity) return true;
      left -= used;
    }
    at = bytes.indexOf('stream', start);
  }
  return false;
}

function afterBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (BLANKS.has(bytes[at] ?? -1)) at += 1;
  return at;
}

function afterLine(bytes: Buffer, start: number): number {
  const end = bytes.subarray(start, start + FILTERS_MAX).findIndex((byte) => byte === 0x0a || byte === 0x0d);
  return end === -1 ? start : afterBlanks(bytes, start + end);
}

/** Any character of a name may be written as a number. */
function withoutEscapes(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/#([\da-f]{2})/gi, (_whole, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** Whether a stream is compressed inside a text form or inside runs of equal bytes, or names its filters elsewhere. */
function hidesRuns(text: string): boolean {
  for (const { index } of text.matchAll(/\/Filter(?![a-z])/gi)) {
    const after = text.slice(index + '/Filter'.length, index + FILTERS_MAX).replaceAll(/%[^\r\n]*/g, '');
    if (/^[\s\0]*\d/.test(after)) return true;
    if (!/^[\s\0]*\[/.test(after)) continue;
    const end = after.indexOf(']');
    const filters = after.slice(0, end);
    if (end === -1 || /\d[\s\0]+R(?![a-z])/i.test(filters) || (HIDDEN.test(filters) && !BASE85_ONCE.test(filters))) return true;
  }
  return false;
}

const HIDDEN =
  /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|RunLengthDecode|RL)(?![a-z\d])[\s\S]*\/(?:FlateDecode|Fl|LZWDecode|LZW)(?![a-z\d])/i;

/** The text form that is read here: once, around one compression. */
const BASE85_ONCE = /^[\s\0]*\[[\s\0]*\/(?:ASCII85Decode|A85)[\s\0]*\/(?:FlateDecode|Fl)[\s\0]*$/;
const TILDE = 0x7e;
const Z = 0x7a;
const FIRST_DIGIT = 0x21;
const TEXT_START_BYTES = 1_024;
const NOTHING = Buffer.alloc(0);

/**
 * Reads base-85 text up to its end mark as the library does, which takes every other character for a digit. Empty when no compression begins in it; null:
 * more than `most` bytes.
 */
function readBase85(bytes: Buffer, from: number, most: number): Buffer | null {
  let out = Buffer.allocUnsafe(TEXT_START_BYTES);
  let length = 0;
  let digits = 0;
  let value = 0;
  const write = (count: number): void => {
    if (length + 4 > out.length) out = Buffer.concat([out], out.length * 2);
    out.writeUInt32BE(Math.floor(value) % 2 ** 32, length);
    length += count;
    digits = 0;
    value = 0;
  };
  for (let at = from; at < bytes.length; at += 1) {
    const code = bytes[at] ?? TILDE;
    if (code === TILDE) break;
    if (BLANKS.has(code)) continue;
    if (code === Z && digits === 0) write(4);
    else {
      value = value * 85 + Math.max(0, code - FIRST_DIGIT);
      digits += 1;
      if (digits === 5) write(4);
    }
    if (length === 4 && !isCompressed(out)) return NOTHING;
    if (length >= most) return null;
  }
  if (digits > 1) {
    const count = digits - 1;
    for (; digits < 5; digits += 1) value = value * 85 + 84;
    write(count);
  }
  return out.subarray(0, length);
}

/** Null: more than `most`. */
function unpackedSize(data: Buffer, most: number, level: number): number | null {
  if (!isCompressed(data)) return 0;
  if (level > LEVELS_MAX) return null;
  try {
    // Without the sum at its end, which readers do not check.
    const unpacked = inflateRawSync(data.subarray(2), { maxOutputLength: Math.max(1, most), finishFlush: 2 });
    const nested = unpackedSize(unpacked, most - unpacked.length, level + 1);
    return nested === null ? null : unpacked.length + nested;
  } catch (error) {
    // Data that cannot be unpacked has no size.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? null : 0;
  }
}

/** Other beginnings are no run of this compression. */
function isCompressed(data: Buffer): boolean {
  return data.length >= 2 && ((data[0] ?? 0) & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0;
}
