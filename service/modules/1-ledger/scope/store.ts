import { query } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Ids a filter may name. */
export type NamedScope = { partnerId?: string | null | undefined; clientId?: string | undefined; workflowId?: string | undefined };

/** Returns whether each named id exists for the caller and belongs to the named partner. Sends nothing when none is named. */
export async function scopeExists(tx: Tx, named: NamedScope): Promise<boolean> {
  const { partnerId = null, clientId = null, workflowId = null } = named;
  if (partnerId === null && clientId === null && workflowId === null) return true;
  const { rows } = await query<'scope_is_known', { there: boolean }>`select
      (${partnerId}::uuid is null or exists (select 1 from partner where id = ${partnerId}::uuid))
      and (${clientId}::uuid is null or exists (select 1 from client where id = ${clientId}::uuid and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)))
      and (${workflowId}::uuid is null or exists (select 1 from workflow where id = ${workflowId}::uuid and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)))
      as there`.execute(tx);
  return rows[0]?.there ?? false;
}
