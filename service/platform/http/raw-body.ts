import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { AppError } from '../refuse.ts';
import { malformed, refusalOf } from './exact-json.ts';
import { isJson } from './media-type.ts';
import { type EventBody, readEventBody } from './read-event.ts';
import { type JsonScan, type ScanOptions, scanJson } from './scan-json.ts';

/** An unparsed body: nothing of it is looked at before the checks that come first. */
export type RawBody = {
  /** As received, perhaps compressed. */
  readonly bytes: Buffer;
  readonly isCompressed: boolean;
  /** Only its start was read: its sender had proved nothing by then. The connection is of no further use. */
  readonly isCut: boolean;
  /** Judges the bytes as those of a JSON text. Nothing is parsed. */
  scan(options: ScanOptions): JsonScan;
  /**
   * Returns the body as JSON, undefined when there is none. Refuses what `scan` found, `too_large`, also beyond a lower `bytesMax`,
   * `unsupported_media_type`, `malformed_json`.
   */
  readJson(scan: JsonScan, bytesMax?: number): unknown;
  /**
   * Returns the body as an object or a list of objects, from JSON or a form (read-event.ts), which may have files where `leavesFilesOut`. Rejects as
   * `readJson` does, and with `validation_failed`.
   */
  read(leavesFilesOut?: boolean): Promise<EventBody>;
};

/** `acceptsGzip`: the body may be compressed; decompressed, it may have `bytesMax` as well. */
type Received = {
  bytes: Buffer;
  headers: IncomingHttpHeaders;
  bytesMax: number;
  isTooLarge: boolean;
  isCut: boolean;
  acceptsGzip: boolean;
};

export function rawBody(received: Received): RawBody {
  return {
    bytes: received.bytes,
    isCompressed: encodingOf(received.headers) !== 'identity',
    isCut: received.isCut,
    scan: (options) => scanJson(received.bytes, options),
    readJson: (scan, bytesMax) => readJson(received, scan, bytesMax),
    read: async (leavesFilesOut) => readEvent(received, leavesFilesOut),
  };
}

/** The body of a request that has none. */
export function emptyBody(headers: IncomingHttpHeaders): RawBody {
  return rawBody({ bytes: Buffer.alloc(0), headers, bytesMax: 0, isTooLarge: false, isCut: false, acceptsGzip: false });
}

/** Returns the refusal of a body over its limit, which it names. */
export function tooLarge(bytesMax: number): AppError {
  return new AppError('too_large', { detail: `The body must not exceed ${formatBytes(bytesMax)}.`, limitBytes: bytesMax });
}

export function formatBytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${bytes / 1_048_576} MiB` : `${bytes / 1024} KiB`;
}

function readJson({ bytes, headers, bytesMax, isTooLarge }: Received, scan: JsonScan, lowerMax = bytesMax): unknown {
  if (isTooLarge) throw tooLarge(bytesMax);
  if (bytes.length > lowerMax) throw tooLarge(lowerMax);
  // Several HTTP clients send the header without a body.
  if (bytes.length === 0) return undefined;
  if (!isJson(headers)) throw new AppError('unsupported_media_type', { detail: 'Send the body as application/json.' });
  if (encodingOf(headers) !== 'identity') throw unsupportedEncoding('identity');
  if (scan.problem) throw refusalOf(scan.problem);
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw malformed();
  }
}

/** Decompression ends at the limit, so a small body cannot become a large one. */
function decompress({ bytes, headers, bytesMax, acceptsGzip }: Received): Buffer {
  const encoding = encodingOf(headers);
  if (encoding === 'identity') return bytes;
  if (!acceptsGzip) throw unsupportedEncoding('identity');
  if (encoding !== 'gzip') throw unsupportedEncoding('gzip');
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax);
    throw new AppError('malformed_json', { detail: 'The body could not be decompressed.' });
  }
}

function encodingOf(headers: IncomingHttpHeaders): string {
  return headers['content-encoding']?.trim().toLowerCase() || 'identity';
}

/** Names the encoding the route takes, as RFC 9110, 12.5.3 wants it. */
function unsupportedEncoding(accepted: 'identity' | 'gzip'): AppError {
  const detail = accepted === 'gzip' ? 'Send the body plain or compressed with gzip.' : 'Send the body without a Content-Encoding.';
  return new AppError('unsupported_media_type', { detail, headers: { 'accept-encoding': accepted } });
}

function readEvent(received: Received, leavesFilesOut?: boolean): Promise<EventBody> {
  const { headers, bytesMax, isTooLarge } = received;
  if (isTooLarge) throw tooLarge(bytesMax);
  return readEventBody(decompress(received), headers, leavesFilesOut);
}
