import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { AppError } from '../refuse.ts';
import { type JsonProblem, type JsonScan, PARTS_MAX, DEPTH_MAX, type ScanOptions, scanJson } from './scan-json.ts';

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
  /** Returns the body as an object, from JSON or a form. Refuses as `readJson`, and `validation_failed` for anything but an object. */
  read(): { kind: 'json' | 'form'; value: Record<string, unknown> };
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
    read: () => readObject(received),
  };
}

/** The body of a request that has none. */
export function noBody(headers: IncomingHttpHeaders): RawBody {
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

function refusalOf({ code, path }: JsonProblem): AppError {
  if (code === 'prototype') return malformed();
  if (code === 'too_many_parts') return new AppError('too_large', { detail: `The body must not hold more than ${PARTS_MAX} values.` });
  const message =
    code === 'too_deep' ? `This is nested deeper than ${DEPTH_MAX} levels.` : 'This text contains a character that cannot be stored.';
  return new AppError('validation_failed', { detail: '1 field was not accepted.', errors: [{ field: path, code, message }] });
}

function malformed(): AppError {
  return new AppError('malformed_json', { detail: 'The body could not be read as JSON.' });
}

function readObject(received: Received): { kind: 'json' | 'form'; value: Record<string, unknown> } {
  const { headers, bytesMax, isTooLarge } = received;
  if (isTooLarge) throw tooLarge(bytesMax);
  const bytes = decompress(received);
  if (mediaType(headers) === 'application/x-www-form-urlencoded') {
    return { kind: 'form', value: Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))) };
  }
  if (!isJson(headers)) throw new AppError('unsupported_media_type', { detail: 'Send the event as application/json or as a form.' });
  const value = parseEvent(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('validation_failed', {
      detail: 'The body must be a JSON object.',
      errors: [{ field: '', code: 'invalid_type', message: 'Send an object such as {"callerNumber": "+15550100"}.' }],
    });
  }
  return { kind: 'json', value: value as Record<string, unknown> }; // an object, as checked above
}

function parseEvent(bytes: Buffer): unknown {
  try {
    const text = bytes.toString('utf8');
    // A reviver costs several times the parse; only a text with the name can need it.
    return text.includes('__proto__') || text.includes('\\u005') ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** `__proto__` as a member is an attack, never data. */
function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Returns the media type of a body in lower case, without parameters; empty without one. */
export function mediaType(headers: IncomingHttpHeaders): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const type = mediaType(headers);
  return type === 'application/json' || type.endsWith('+json');
}
