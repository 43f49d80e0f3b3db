import { createHash } from 'node:crypto';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { RequestContext, RouteName } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';

/**
 * Does `work` unless the same user sent the same Idempotency-Key to the same route within 24 hours: then returns the answer of that call. Of
 * two calls at the same time the second waits for the first. A refused call leaves no key.
 */
export async function once<T extends object>(
  tx: Tx,
  context: RequestContext,
  call: { route: RouteName; partnerId: string },
  work: () => Promise<T>,
): Promise<T> {
  const { partnerId } = call;
  const hash = hashKey(context, call.route);
  if (hash === null) return work();
  const first = await claimKey(tx, { partnerId, hash, now: context.now });
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

/** Two users may send the same key, and one user the same key to two routes. */
function hashKey(context: RequestContext, route: RouteName): Buffer | null {
  const key = context.header('idempotency-key')?.trim();
  if (!key) return null;
  if (key.length > 255) refuseField('Idempotency-Key', 'too_long', 'An Idempotency-Key may be at most 255 characters long.');
  return createHash('sha256').update(`${route}\n${context.actor.userId}\n${key}`).digest();
}

async function claimKey(tx: Tx, key: { partnerId: string; hash: Buffer; now: Date }): Promise<unknown> {
  const claimed = await runStatement(tx, {
    name: 'billing_claim_key',
    text: `insert into billing_key as k (partner_id, key_hash, created_at) values ($1, $2, $3)
      on conflict (partner_id, key_hash) do update set created_at = $3, answer = null where k.created_at < $3::timestamptz - make_interval(hours => $4)
      returning 1 as claimed`,
    values: [key.partnerId, key.hash, key.now, LIMITS.idempotencyHours],
  });
  if (claimed.length > 0) return null;
  const [row] = await runStatement<'billing_read_key', { answer: unknown }>(tx, {
    name: 'billing_read_key',
    text: 'select answer from billing_key where partner_id = $1 and key_hash = $2',
    values: [key.partnerId, key.hash],
  });
  return row?.answer ?? null;
}
