import { inflateSync } from 'node:zlib';

const LEVELS_MAX = 4;
/** Runs of an older compression, which cannot be measured without unpacking: refused beyond this size of a file. */
const OLD_RUNS_BYTES_MAX = 256 * 1024;

/**
 * Returns whether the streams of a PDF have more than `bytesMax` bytes together when they are unpacked. A library that reads the PDF would hold them in
 * memory outside of any heap limit.
 */
export function unpacksTooLarge(bytes: Buffer, bytesMax: number): boolean {
  if (bytes.length > OLD_RUNS_BYTES_MAX && bytes.includes('LZW')) return true;
  let left = bytesMax;
  let at = bytes.indexOf('stream');
  while (at !== -1) {
    const start = at + 'stream'.length;
    const isEnd = bytes.subarray(at - 3, at).toString('latin1') === 'end';
    if (!isEnd) {
      const skip = bytes[start] === 0x0d ? (bytes[start + 1] === 0x0a ? 2 : 1) : bytes[start] === 0x0a ? 1 : 0;
      const end = bytes.indexOf('endstream', start);
      const used = unpackedSize(bytes.subarray(start + skip, end === -1 ? bytes.length : end), left, 1);
      if (used === null) return true;
      left -= used;
    }
    at = bytes.indexOf('stream', start);
  }
  return false;
}

/** Null: more than `most`. */
function unpackedSize(data: Buffer, most: number, level: number): number | null {
  // Other beginnings are no run of this compression.
  if (data.length < 2 || ((data[0] ?? 0) & 0x0f) !== 8 || data.readUInt16BE(0) % 31 !== 0) return 0;
  if (level > LEVELS_MAX) return null;
  try {
    const unpacked = inflateSync(data, { maxOutputLength: Math.max(1, most), finishFlush: 2 });
    const nested = unpackedSize(unpacked, most - unpacked.length, level + 1);
    return nested === null ? null : unpacked.length + nested;
  } catch (error) {
    // What cannot be unpacked has no size.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? null : 0;
  }
}
