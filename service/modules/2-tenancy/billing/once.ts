import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { RequestContext, RouteName } from '#platform/http/context.ts';
import { fingerprintOf, hashIdempotencyKey, refuseOtherBody } from '#platform/http/idempotency.ts';

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
  const first = await claimKey(tx, { partnerId, hash, bodyHash: fingerprintOf(call.body), now: context.now });
  // The reply schema of the route parses it again.
  if (first !== null) return first as T;
  const answer = await work();
  await runStatement(tx, {
    name: 'billing_fill_key',
    text: 'update billing_key set answer = $3::jsonb where partner_id = $1 and key_hash = $2',
    values: [partnerId, hash, JSON.stringify(answer)],
  });
  return answer;
}

/** Deletes a batch of keys that no longer count. Returns how many. */
export async function deleteOldKeys(tx: SystemTx, now: Date, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'billing_delete_old_keys',
    prepare: false,
    text: `delete from billing_key k using (
        select partner_id, key_hash from billing_key where created_at < $1::timestamptz - make_interval(hours => $2) limit $3) old
      where k.partner_id = old.partner_id and k.key_hash = old.key_hash returning 1 as deleted`,
    values: [now, LIMITS.idempotencyHours, batch],
  });
  return rows.length;
}

async function claimKey(tx: Tx, key: { partnerId: string; hash: Buffer; bodyHash: Buffer; now: Date }): Promise<unknown> {
  const claimed = await runStatement(tx, {
    name: 'billing_claim_key',
    text: `insert into billing_key as k (partner_id, key_hash, created_at, body_hash) values ($1, $2, $3, $5)
      on conflict (partner_id, key_hash) do update set created_at = $3, answer = null, body_hash = $5 where k.created_at < $3::timestamptz - make_interval(hours => $4)
      returning 1 as claimed`,
    values: [key.partnerId, key.hash, key.now, LIMITS.idempotencyHours, key.bodyHash],
  });
  if (claimed.length > 0) return null;
  const [row] = await runStatement<'billing_read_key', { answer: unknown; bodyHash: Buffer | null }>(tx, {
    name: 'billing_read_key',
    text: 'select answer, body_hash from billing_key where partner_id = $1 and key_hash = $2',
    values: [key.partnerId, key.hash],
  });
  refuseOtherBody(row?.bodyHash, key.bodyHash);
  return row?.answer ?? null;
}
