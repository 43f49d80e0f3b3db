import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '../refuse.ts';
import type { BodyShare } from './body-budget.ts';
import { mediaType } from './media-type.ts';
import { tooLarge } from './raw-body.ts';
import { readStream, type StreamTimes } from './read-stream.ts';

/** The parts of a form with one file. What the sender says of the file is only said: judge it by its bytes. */
export type Upload = {
  readonly fields: Readonly<Record<string, string>>;
  /** Null when the form has none. */
  readonly file: { readonly filename: string; readonly declaredType: string; readonly bytes: Buffer<ArrayBuffer> } | null;
};

/** `bytesMax`: of the file. `fileTypes`: media types of which the body may be the file itself. */
export type UploadBounds = StreamTimes & { bytesMax: number; fileTypes?: readonly string[] | undefined };

/** Room for the boundaries and the texts around the file. */
export const FORM_BYTES_MAX = 16_384;
const PARTS = { files: 1, fields: 10, parts: 11, fieldNameSize: 100, fieldSize: 4_096, headerPairs: 20, headerSize: 4_096 };

/**
 * Receives a multipart form as it arrives and holds at most its bounds, also when it declares less. `share` counts all bytes; the caller
 * releases it once the file is no longer needed. The rest of a refused form is discarded as it arrives, so that the response reaches a sender
 * that first writes everything. Rejects with `unsupported_media_type`, `too_large`, `request_timeout`, `validation_failed` for a form that
 * is broken or incomplete, and with the refusal of `share`.
 */
export async function receiveUpload(
  stream: Readable,
  headers: IncomingHttpHeaders,
  bounds: UploadBounds,
  share: BodyShare,
): Promise<Upload> {
  const { bytesMax, fileTypes = [] } = bounds;
  const type = mediaType(headers);
  if (fileTypes.includes(type) && isPlain(headers)) return receiveFile(stream, headers, bounds, share);
  const form = openForm(headers, bytesMax);
  const isWanted = form !== undefined && Number(headers['content-length'] ?? 0) <= bytesMax + FORM_BYTES_MAX;
  const parts = form && readParts(form, bytesMax);
  let received = 0;
  const end = await readStream(
    stream,
    bounds,
    isWanted
      ? (chunk) => {
          received += chunk.length;
          if (received > bytesMax + FORM_BYTES_MAX) throw tooLarge(bytesMax);
          share.take(chunk.length);
          form.write(chunk);
          parts?.throwRefusal();
          return 'more';
        }
      : null,
  );
  if (form === undefined || parts === undefined) throw new AppError('unsupported_media_type', { detail: wantedTypes(fileTypes) });
  if (end === 'enough') throw tooLarge(bytesMax);
  if (end === 'late') throw late();
  if (end === 'gone') throw broken('The form ended before it was complete.');
  form.end();
  return parts.complete;
}

/** Receives a body that is the file. The file's name and other texts are in the query string. */
async function receiveFile(stream: Readable, headers: IncomingHttpHeaders, bounds: UploadBounds, share: BodyShare): Promise<Upload> {
  const { bytesMax } = bounds;
  const chunks: Buffer[] = [];
  let received = 0;
  const isWanted = Number(headers['content-length'] ?? 0) <= bytesMax;
  const end = await readStream(
    stream,
    bounds,
    isWanted
      ? (chunk) => {
          received += chunk.length;
          if (received > bytesMax) throw tooLarge(bytesMax);
          share.take(chunk.length);
          chunks.push(chunk);
          return 'more';
        }
      : null,
  );
  if (end === 'enough') throw tooLarge(bytesMax);
  if (end === 'late') throw late();
  if (end === 'gone') throw broken('The file ended before it was complete.');
  return { fields: {}, file: { filename: '', declaredType: mediaType(headers), bytes: Buffer.concat(chunks) } };
}

function wantedTypes(fileTypes: readonly string[]): string {
  const asForm = 'Send the file as multipart/form-data, in the part "file"';
  return fileTypes.length === 0 ? `${asForm}.` : `${asForm}, or as the body, of type ${fileTypes.join(' or ')}.`;
}

function late(): AppError {
  return new AppError('request_timeout', { detail: 'The file did not arrive in time.', headers: { connection: 'close' } });
}

function isPlain(headers: IncomingHttpHeaders): boolean {
  return (headers['content-encoding'] ?? 'identity') === 'identity';
}

/** Collects the parts of a form. `throwRefusal`: ends the reading of a form that was refused meanwhile. */
function readParts(form: BusboyInstance, bytesMax: number): { complete: Promise<Upload>; throwRefusal(): void } {
  const { promise: complete, resolve, reject } = Promise.withResolvers<Upload>();
  const fields: Record<string, string> = {};
  let file: Upload['file'] = null;
  let refused: { refusal: AppError } | undefined;
  const refuse = (refusal: AppError): void => {
    refused ??= { refusal };
    reject(refusal);
  };
  // Also thrown while the form is read.
  complete.catch(() => undefined);
  form.on('file', (_name: string, source: BusboyFileStream, filename: string | undefined, _encoding: string, declaredType: string) => {
    const chunks: Buffer[] = [];
    source.on('data', (chunk: Buffer) => void chunks.push(chunk));
    source.once('limit', () => refuse(tooLarge(bytesMax)));
    source.once('error', () => refuse(broken('The form ended before it was complete.')));
    source.once('end', () => {
      if (!refused) file = { filename: filename ?? '', declaredType, bytes: Buffer.concat(chunks) };
    });
  });
  form.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut || value.includes('\u0000')) return refuse(broken('This text is too long, or cannot be stored.', name));
    fields[name] = value;
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    form.once(limit, () => refuse(broken('Send one file, and only the texts that the documentation names.')));
  form.once('error', () => refuse(broken('The form could not be read.')));
  form.once('finish', () => resolve({ fields, file }));
  return {
    complete,
    throwRefusal() {
      if (refused) throw refused.refusal;
    },
  };
}

/** Undefined for a body that is no multipart form. */
function openForm(headers: IncomingHttpHeaders, bytesMax: number): BusboyInstance | undefined {
  const type = headers['content-type'];
  if (!type || !/^multipart\/form-data\s*;/i.test(type) || !isPlain(headers)) return undefined;
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
