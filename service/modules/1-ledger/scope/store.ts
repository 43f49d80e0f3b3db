import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Ids a filter may name. */
export type NamedScope = { partnerId?: string | null | undefined; clientId?: string | undefined; workflowId?: string | undefined };

/** Returns whether each named id exists for the caller and belongs to the named partner. Sends nothing when none is named. */
export async function scopeExists(tx: Tx, named: NamedScope): Promise<boolean> {
  const { partnerId = null, clientId = null, workflowId = null } = named;
  if (partnerId === null && clientId === null && workflowId === null) return true;
  const [row] = await runStatement<'scope_is_known', { there: boolean }>(tx, {
    name: 'scope_is_known',
    text: `select ($1::uuid is null or exists (select 1 from partner where id = $1))
        and ($2::uuid is null or exists (select 1 from client where id = $2 and ($1 is null or partner_id = $1)))
        and ($3::uuid is null or exists (select 1 from workflow where id = $3 and ($1 is null or partner_id = $1))) as there`,
    values: [partnerId, clientId, workflowId],
  });
  return row?.there ?? false;
}
