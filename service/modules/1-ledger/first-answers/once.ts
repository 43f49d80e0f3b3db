import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { fingerprintOf, hashIdempotencyKey, refuseOtherBody } from '#platform/http/idempotency.ts';
import { claimKey, fillKey } from './store.ts';

/**
 * Does `work` unless the same user sent the same Idempotency-Key to the same route within 24 hours: then returns the answer of that call, or
 * refuses `idempotency_key_reused` when it had another body. When two are sent at once, the second waits for the first. A refused call leaves
 * no key. `names`: the route, and what else the user's key belongs to.
 */
export async function once<T extends object>(
  tx: Tx,
  context: Pick<RequestContext, 'actor' | 'now' | 'header'>,
  call: { names: readonly string[]; partnerId: string; body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  const { actor, now } = context;
  const hash = hashIdempotencyKey(context, actor.userId, ...call.names);
  if (hash === null) return work();
  const { partnerId } = call;
  const bodyHash = fingerprintOf(call.body);
  const first = await claimKey(tx, { partnerId, clientId: actor.clientId, hash, bodyHash, now });
  if (first) {
    refuseOtherBody(first.bodyHash, bodyHash);
    return first.answer as T; // as `fillKey` stored it; the reply schema of the route parses it again
  }
  const answer = await work();
  await fillKey(tx, { partnerId, hash }, answer);
  return answer;
}
