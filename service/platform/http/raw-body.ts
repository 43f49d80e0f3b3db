import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../refuse.ts';

/** An unparsed body: nothing of it is looked at before the checks that come first. */
export type RawBody = {
  readonly bytes: Buffer;
  /** Returns the body as JSON, undefined when there is none. Refuses `too_large`, `unsupported_media_type`, `malformed_json`. */
  readJson(): unknown;
  /** Returns the body as an object, from JSON or a form. Refuses as `readJson`, and `validation_failed` for anything but an object. */
  read(): { kind: 'json' | 'form'; value: Record<string, unknown> };
};

type Received = { bytes: Buffer; headers: IncomingHttpHeaders; bytesMax: number; isTooLarge: boolean };

export function rawBody(received: Received): RawBody {
  return {
    bytes: received.bytes,
    readJson: () => readJson(received),
    read: () => readObject(received),
  };
}

/** The body of a request that has none. */
export function noBody(headers: IncomingHttpHeaders): RawBody {
  return rawBody({ bytes: Buffer.alloc(0), headers, bytesMax: 0, isTooLarge: false });
}

/** Returns the refusal of a body over its limit, which it names. */
export function tooLarge(bytesMax: number): AppError {
  return new AppError('too_large', { detail: `The body must not exceed ${formatBytes(bytesMax)}.`, limitBytes: bytesMax });
}

export function formatBytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${bytes / 1_048_576} MiB` : `${bytes / 1024} KiB`;
}

function readJson({ bytes, headers, bytesMax, isTooLarge }: Received): unknown {
  if (isTooLarge) throw tooLarge(bytesMax);
  // Several HTTP clients send the header without a body.
  if (bytes.length === 0) return undefined;
  if (!isJson(headers)) throw new AppError('unsupported_media_type', { detail: 'Send the body as application/json.' });
  return parseJson(bytes, 'refuse');
}

function readObject({ bytes, headers, bytesMax, isTooLarge }: Received): { kind: 'json' | 'form'; value: Record<string, unknown> } {
  if (isTooLarge) throw tooLarge(bytesMax);
  if (mediaType(headers) === 'application/x-www-form-urlencoded') {
    return { kind: 'form', value: Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))) };
  }
  if (!isJson(headers)) throw new AppError('unsupported_media_type', { detail: 'Send the event as application/json or as a form.' });
  const value = parseJson(bytes, 'drop');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('validation_failed', {
      detail: 'The body must be a JSON object.',
      errors: [{ field: '', code: 'invalid_type', message: 'Send an object such as {"callerNumber": "+15550100"}.' }],
    });
  }
  return { kind: 'json', value: value as Record<string, unknown> }; // an object, as checked above
}

/** `__proto__` as a member is an attack, never data: it is dropped from what is other people's text, and refused elsewhere. */
function parseJson(bytes: Buffer, prototypes: 'refuse' | 'drop'): unknown {
  try {
    const text = bytes.toString('utf8');
    // A reviver costs several times the parse; only a text with the name can need it.
    if (!text.includes('__proto__') && !text.includes('\\u005')) return JSON.parse(text);
    return JSON.parse(text, prototypes === 'drop' ? dropPrototype : refusePrototype);
  } catch {
    throw new AppError('malformed_json', { detail: 'The body could not be read as JSON.' });
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__');
  return value;
}

function mediaType(headers: IncomingHttpHeaders): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const type = mediaType(headers);
  return type === 'application/json' || type.endsWith('+json');
}
