import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

type KeyPlace = { partnerId: string; hash: Buffer };
type NewKey = KeyPlace & { clientId: string | null; bodyHash: Buffer; now: Date };

/** Stores the key of a call, or takes over an expired one, and returns null; else the answer of the call that has it. */
export async function claimKey(tx: Tx, key: NewKey): Promise<{ answer: unknown; bodyHash: Buffer | null } | null> {
  const { partnerId, clientId, hash, bodyHash, now } = key;
  const claimed = await runStatement(tx, {
    name: 'first_answer_claim',
    text: `insert into first_answer as k (partner_id, client_id, key_hash, body_hash, created_at) values ($1, $2, $3, $4, $5)
      on conflict (partner_id, key_hash) do update set created_at = $5, answer = null, body_hash = $4 where k.created_at < $5::timestamptz - make_interval(hours => $6)
      returning 1 as claimed`,
    values: [partnerId, clientId, hash, bodyHash, now, LIMITS.idempotencyHours],
  });
  if (claimed.length > 0) return null;
  const [first] = await runStatement<'first_answer_read', { answer: unknown; bodyHash: Buffer | null }>(tx, {
    name: 'first_answer_read',
    text: 'select answer, body_hash from first_answer where partner_id = $1 and key_hash = $2',
    values: [partnerId, hash],
  });
  return first ?? null;
}

export async function fillKey(tx: Tx, { partnerId, hash }: KeyPlace, answer: object): Promise<void> {
  await runStatement(tx, {
    name: 'first_answer_fill',
    text: 'update first_answer set answer = $3::jsonb where partner_id = $1 and key_hash = $2',
    values: [partnerId, hash, JSON.stringify(answer)],
  });
}

/** Deletes a batch of expired keys with their answers. Returns how many. */
export async function deleteExpired(tx: SystemTx, now: Date, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'first_answer_delete_expired',
    prepare: false,
    text: `delete from first_answer k using (
        select partner_id, key_hash from first_answer where created_at < $1::timestamptz - make_interval(hours => $2) limit $3) old
      where k.partner_id = old.partner_id and k.key_hash = old.key_hash returning 1 as deleted`,
    values: [now, LIMITS.idempotencyHours, batch],
  });
  return rows.length;
}
