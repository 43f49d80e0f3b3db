import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext, RouteName } from '#platform/http/context.ts';
import { fingerprintOf, hashIdempotencyKey, refuseOtherBody } from '#platform/http/idempotency.ts';
import { claimKey, fillKey, type NewKey, readKey } from './store-keys.ts';

/**
 * Does `work` unless the same user sent the same Idempotency-Key to the same route within 24 hours: then returns the answer of that call, or
 * refuses `idempotency_key_reused` when it had another body. When two are sent at once, the second waits for the first. A refused call leaves
 * no key.
 */
export async function once<T extends object>(
  tx: Tx,
  context: RequestContext,
  call: { route: RouteName; partnerId: string; body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  const { partnerId } = call;
  const hash = hashIdempotencyKey(context, call.route, context.actor.userId);
  if (hash === null) return work();
  const first = await answerOfKey(tx, { partnerId, hash, bodyHash: fingerprintOf(call.body), now: context.now });
  // The reply schema of the route parses it again.
  if (first !== null) return first as T;
  const answer = await work();
  await fillKey(tx, { partnerId, hash }, answer);
  return answer;
}

/** Claims the key; returns the answer of the call that has it already, null when there is none. */
async function answerOfKey(tx: Tx, key: NewKey): Promise<unknown> {
  if (await claimKey(tx, key)) return null;
  const kept = await readKey(tx, key);
  refuseOtherBody(kept?.bodyHash, key.bodyHash);
  return kept?.answer ?? null;
}
