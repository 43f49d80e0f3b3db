import { createHash } from 'node:crypto';
import type { RequestContext } from '#platform/http/context.ts';
import { fingerprintOf, readIdempotencyKey } from '#platform/http/idempotency.ts';

/** An Idempotency-Key, hashed, with the fingerprint of the body it came with. */
export type HeldKey = { hash: Buffer; bodyHash: Buffer };

/** Reads the key of a user and kind of call, since two users, or two routes, may be sent the same key. Null without one. */
export function readKey(context: RequestContext, kind: string, body: unknown): HeldKey | null {
  const key = readIdempotencyKey(context);
  if (key === undefined) return null;
  // Keys of earlier versions count on: the kind ends with its own separator.
  return { hash: createHash('sha256').update(`${context.actor.userId}\n${kind}${key}`).digest(), bodyHash: fingerprintOf(body) };
}
