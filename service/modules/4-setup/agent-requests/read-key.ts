import { createHash } from 'node:crypto';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';

/** Hashes the Idempotency-Key with the user and the kind of call, since two users, or two routes, may be sent the same key. Null without one. */
export function readKey(context: RequestContext, kind: string): Buffer | null {
  const key = context.header('idempotency-key')?.trim();
  if (!key) return null;
  if (key.length > 255) refuseField('Idempotency-Key', 'too_long', 'An Idempotency-Key may be at most 255 characters long.');
  return createHash('sha256').update(`${context.actor.userId}\n${kind}${key}`).digest();
}
