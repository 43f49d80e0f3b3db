import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '../refuse.ts';
import type { BodyShare } from './body-budget.ts';
import { tooLarge } from './raw-body.ts';
import { BODY_TIMEOUT_MS } from './receive-body.ts';

/** The parts of a form with one file. What the sender says of the file is only said: judge it by its bytes. */
export type Upload = {
  readonly fields: Readonly<Record<string, string>>;
  /** Null when the form has none. */
  readonly file: { readonly filename: string; readonly declaredType: string; readonly bytes: Buffer<ArrayBuffer> } | null;
};

/** `bytesMax`: of the file. */
export type UploadBounds = { bytesMax: number; timeoutMs?: number | undefined };

/** Room for the boundaries and the texts around the file. */
export const FORM_BYTES_MAX = 16_384;
const PARTS = { files: 1, fields: 10, parts: 11, fieldNameSize: 100, fieldSize: 4_096, headerPairs: 20, headerSize: 4_096 };

/**
 * Receives a multipart form as it arrives and holds at most its bounds, also when it declares less. `share` counts all bytes; the caller
 * releases it once the file is no longer needed. The rest of a refused form is discarded as it arrives, so that the response reaches a sender
 * that first writes everything. Rejects with `unsupported_media_type`, `too_large`, `request_timeout`, `validation_failed` for a form that
 * is broken or incomplete, and with the refusal of `share`.
 */
export function receiveUpload(stream: Readable, headers: IncomingHttpHeaders, bounds: UploadBounds, share: BodyShare): Promise<Upload> {
  const { promise, resolve, reject } = Promise.withResolvers<Upload>();
  const { bytesMax, timeoutMs = BODY_TIMEOUT_MS } = bounds;
  const fields: Record<string, string> = {};
  let file: Upload['file'] = null;
  let received = 0;
  let isOver = false;
  const end = (settle: () => void): void => {
    if (isOver) return;
    isOver = true;
    stream.off('data', onData).resume();
    settle();
  };
  const refuse = (refusal: unknown): void => end(() => reject(refusal));
  const form = openForm(headers, bytesMax);
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > bytesMax + FORM_BYTES_MAX) return refuse(tooLarge(bytesMax));
    try {
      share.take(chunk.length);
    } catch (refusal) {
      return refuse(refusal);
    }
    form?.write(chunk);
  };
  // It also ends a connection that was refused and keeps sending.
  const deadline = setTimeout(() => {
    if (isOver) stream.destroy();
    refuse(new AppError('request_timeout', { detail: 'The file did not arrive in time.', headers: { connection: 'close' } }));
  }, timeoutMs).unref();
  stream.once('close', () => {
    clearTimeout(deadline);
    // A complete form closes too, before its last part was handed on.
    if (!stream.readableEnded) refuse(broken('The form ended before it was complete.'));
  });
  stream.once('error', () => refuse(broken('The form ended before it was complete.')));
  stream.once('end', () => {
    clearTimeout(deadline);
    if (!isOver) form?.end();
  });
  if (!form) {
    refuse(new AppError('unsupported_media_type', { detail: 'Send the file as multipart/form-data, in the part "file".' }));
    return promise;
  }
  form.on('file', (_name: string, source: BusboyFileStream, filename: string | undefined, _encoding: string, declaredType: string) => {
    const chunks: Buffer[] = [];
    source.on('data', (chunk: Buffer) => void chunks.push(chunk));
    source.once('limit', () => refuse(tooLarge(bytesMax)));
    source.once('error', () => refuse(broken('The form ended before it was complete.')));
    source.once('end', () => {
      if (isOver) return;
      file = { filename: filename ?? '', declaredType, bytes: Buffer.concat(chunks) };
    });
  });
  form.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut || value.includes('\u0000')) return refuse(broken('This text is too long, or cannot be stored.', name));
    fields[name] = value;
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    form.once(limit, () => refuse(broken('Send one file, and only the texts that the documentation names.')));
  form.once('error', () => refuse(broken('The form could not be read.')));
  form.once('finish', () => end(() => resolve({ fields, file })));
  if (Number(headers['content-length'] ?? 0) > bytesMax + FORM_BYTES_MAX) refuse(tooLarge(bytesMax));
  else stream.on('data', onData);
  return promise;
}

/** Undefined for a body that is no multipart form. */
function openForm(headers: IncomingHttpHeaders, bytesMax: number): BusboyInstance | undefined {
  const type = headers['content-type'];
  if (!type || !/^multipart\/form-data\s*;/i.test(type) || (headers['content-encoding'] ?? 'identity') !== 'identity') return undefined;
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { ...PARTS, fileSize: bytesMax },
      // The part's name says so, not its headers.
      isPartAFile: (name) => name === 'file',
    });
  } catch {
    return undefined;
  }
}

function broken(message: string, field = ''): AppError {
  return new AppError('validation_failed', { detail: message, errors: [{ field, code: 'malformed', message }] });
}
