import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type SwitchRow = { id: string; name: string; partnerId: string; clientId: string | null; isActive: boolean };

/** Locks the agents in the order of their ids, so that two calls never wait for each other in a circle. */
export async function lockAgentsToSwitch(tx: TenantTx, ids: readonly string[]): Promise<SwitchRow[]> {
  return runStatement<'agents_lock_to_switch', SwitchRow>(tx, {
    name: 'agents_lock_to_switch',
    text: 'select id, name, partner_id, client_id, is_active from workflow where id = any($1) order by id for no key update',
    values: [ids],
  });
}

export async function switchAll(tx: TenantTx, ids: readonly string[], isActive: boolean): Promise<void> {
  if (ids.length === 0) return;
  await runStatement(tx, {
    name: 'agents_switch_all',
    text: `update workflow set is_active = $2, updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond') where id = any($1)`,
    values: [ids, isActive],
  });
}
