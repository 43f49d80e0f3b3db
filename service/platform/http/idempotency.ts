import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { createHash } from 'node:crypto';
import type { RequestContext } from './context.ts';
import { refuse, refuseField } from '../refuse.ts';

/** Returns the Idempotency-Key header; refuses one that is too long. */
export function readIdempotencyKey(context: Pick<RequestContext, 'header'>): string | undefined {
  const key = context.header('idempotency-key')?.trim();
  if (key === undefined || key === '') return undefined;
  if (key.length > 255) refuseField('Idempotency-Key', 'too_long', 'An Idempotency-Key may be at most 255 characters long.');
  return key;
}

/** Returns the hash of an Idempotency-Key under the names that it belongs to, such as the user and the route; null without a key. */
export function hashIdempotencyKey(context: Pick<RequestContext, 'header'>, ...names: readonly string[]): Buffer | null {
  const key = readIdempotencyKey(context);
  return key === undefined
    ? null
    : createHash('sha256')
        .update([...names, key].join('\n'))
        .digest();
}

/** Returns the fingerprint of a parsed body, and of the bytes of its file. Bodies that are parsed to the same values have the same one. */
export function fingerprintOf(body: unknown, file?: Buffer): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(body) ?? '');
  return (file ? hash.update('\n').update(file) : hash).digest();
}

/** Refuses a key that was used with another body. `first` is null for a key of an earlier version, which kept no fingerprint. */
export function refuseOtherBody(first: Buffer | null | undefined, given: Buffer): void {
  if (first && !first.equals(given)) refuseReusedKey();
}

export function refuseReusedKey(): never {
  return refuse('idempotency_key_reused', {
    detail: `This Idempotency-Key was used within ${LIMITS.idempotencyHours} hours with another body, and nothing was done now. Send a new key with a new request.`,
  });
}
