import { isObject } from '@partner-portal/core/json/is-object.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../refuse.ts';
import { charsetOf, jsonInUtf8 } from './decode-text.ts';
import { parseExactJson } from './exact-json.ts';
import { isJson, mediaType } from './media-type.ts';
import { readMultipart, readUrlencoded } from './read-form.ts';

/** A body as it came: an object, or a list of objects; of a form the object of its fields. `remarks`: what was noticed while it was read. */
export type EventBody = { kind: 'json' | 'form'; value: Record<string, unknown> | Record<string, unknown>[]; remarks: string[] };

/** Reads JSON or a form, plain bytes. `leavesFilesOut`: of a form in parts, instead of refusing it. Refuses `unsupported_media_type`, `malformed_json`, `too_large`, `validation_failed`. */
export async function readEventBody(bytes: Buffer, headers: IncomingHttpHeaders, leavesFilesOut = false): Promise<EventBody> {
  const type = mediaType(headers);
  const charset = charsetOf(headers);
  if (type === 'application/x-www-form-urlencoded') return ofForm(readUrlencoded(bytes, charset));
  if (type === 'multipart/form-data') return ofForm(await readMultipart(bytes, headers['content-type'] ?? '', leavesFilesOut));
  if (!isJson(headers)) throw new AppError('unsupported_media_type', { detail: 'Send the event as application/json or as a form.' });
  const { bytes: text, remarks } = jsonInUtf8(bytes, charset);
  const { value, remarks: ofMembers } = parseExactJson(text);
  if (!isEvent(value)) throw noEvent();
  return { kind: 'json', value, remarks: [...remarks, ...ofMembers] };
}

/**
 * Returns the JSON that a field of a form holds, read as a body is; null for a text that is no object and no list of objects. Refuses
 * `too_large` and `validation_failed` as a body does.
 */
export function readJsonField(text: string): { value: EventBody['value']; remarks: string[] } | null {
  try {
    const { value, remarks } = parseExactJson(Buffer.from(text.toWellFormed().trim()));
    return isEvent(value) ? { value, remarks } : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'malformed_json') return null;
    throw error;
  }
}

function ofForm({ fields, remarks }: ReturnType<typeof readUrlencoded>): EventBody {
  return { kind: 'form', value: fields, remarks };
}

function isEvent(value: unknown): value is EventBody['value'] {
  return Array.isArray(value) ? value.length > 0 && value.every(isObject) : isObject(value);
}

function noEvent(): AppError {
  return new AppError('validation_failed', {
    detail: 'The body must be a JSON object, or a list of them.',
    errors: [{ field: '', code: 'invalid_type', message: 'Send an object such as {"callerNumber": "+15550100"}.' }],
  });
}
