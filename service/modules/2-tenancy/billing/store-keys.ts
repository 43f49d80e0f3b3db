import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

type KeyPlace = { partnerId: string; hash: Buffer };
export type NewKey = KeyPlace & { bodyHash: Buffer; now: Date };

/** Stores the key of a call, or takes over one that no longer counts; false when another call has it. */
export async function claimKey(tx: Tx, key: NewKey): Promise<boolean> {
  const claimed = await runStatement(tx, {
    name: 'billing_claim_key',
    text: `insert into billing_key as k (partner_id, key_hash, created_at, body_hash) values ($1, $2, $3, $5)
      on conflict (partner_id, key_hash) do update set created_at = $3, answer = null, body_hash = $5 where k.created_at < $3::timestamptz - make_interval(hours => $4)
      returning 1 as claimed`,
    values: [key.partnerId, key.hash, key.now, LIMITS.idempotencyHours, key.bodyHash],
  });
  return claimed.length > 0;
}

export async function readKey(tx: Tx, { partnerId, hash }: KeyPlace): Promise<{ answer: unknown; bodyHash: Buffer | null } | undefined> {
  const [row] = await runStatement<'billing_read_key', { answer: unknown; bodyHash: Buffer | null }>(tx, {
    name: 'billing_read_key',
    text: 'select answer, body_hash from billing_key where partner_id = $1 and key_hash = $2',
    values: [partnerId, hash],
  });
  return row;
}

/** Stores the answer with its key. */
export async function fillKey(tx: Tx, { partnerId, hash }: KeyPlace, answer: object): Promise<void> {
  await runStatement(tx, {
    name: 'billing_fill_key',
    text: 'update billing_key set answer = $3::jsonb where partner_id = $1 and key_hash = $2',
    values: [partnerId, hash, JSON.stringify(answer)],
  });
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
