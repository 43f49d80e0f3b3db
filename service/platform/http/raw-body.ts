import type { Readable } from 'node:stream';
import { AppError } from '../refuse.ts';

/** An unparsed body, for a route whose other checks run first. */
export type RawBody = {
  bytes: Buffer;
  contentType: string;
  /**
   * Returns the body as an object, from JSON or a form. Refuses `malformed_json`, `too_large`,
   * `unsupported_media_type`, `validation_failed`.
   */
  read(): { kind: 'json' | 'form'; value: Record<string, unknown> };
};

/** Reads at most `bytesMax`. Longer bodies are read and discarded, so that the refusal can still be sent. */
export function readRawBody(stream: Readable, contentType: string, bytesMax: number): Promise<RawBody> {
  const { promise, resolve, reject } = Promise.withResolvers<RawBody>();
  const chunks: Buffer[] = [];
  let size = 0;
  // Async iteration would cost more than all the rest of reading a small body.
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bytesMax) chunks.push(chunk);
    else chunks.length = 0;
    // Ten times the limit is no mistake: stop reading.
    if (size > bytesMax * 10) {
      stream.removeAllListeners('data');
      stream.pause();
      reject(new AppError('too_large'));
    }
  });
  let ended = false;
  stream.once('end', () => {
    ended = true;
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    resolve({ bytes, contentType, read: () => parseBody(bytes, contentType, size > bytesMax) });
  });
  stream.once('error', reject);
  // 'close' follows a complete body too.
  stream.once('close', () => {
    if (!ended) reject(new AppError('malformed_json', { detail: 'The body ended before it was complete.' }));
  });
  return promise;
}

function parseBody(bytes: Buffer, contentType: string, tooLarge: boolean): { kind: 'json' | 'form'; value: Record<string, unknown> } {
  if (tooLarge) throw new AppError('too_large', { detail: 'The body must not exceed 1 MiB.' });
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') {
    return { kind: 'form', value: Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))) };
  }
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new AppError('unsupported_media_type', { detail: 'Send the event as application/json or as a form.' });
  }
  let value: unknown;
  try {
    const text = bytes.toString('utf8');
    // A reviver costs several times the parse; only a text with the name can need it.
    value = text.includes('__proto__') || text.includes('\\u005') ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch {
    throw new AppError('malformed_json', { detail: 'The body could not be read as JSON.' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('validation_failed', {
      detail: 'The body must be a JSON object.',
      errors: [{ field: '', code: 'invalid_type', message: 'Send an object such as {"callerNumber": "+15550100"}.' }],
    });
  }
  return { kind: 'json', value: value as Record<string, unknown> }; // an object, as checked above
}

/** `__proto__` as a member is an attack, never data. */
function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
