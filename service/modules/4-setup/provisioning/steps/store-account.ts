import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

type Account = { partnerId: string; clientId: string | null };

/** Agents of an account, and deleted ones that are not out of the engine yet. */
export async function listEngineTargets(tx: SystemTx, account: Account): Promise<{ id: string; providerFlowId: string | null }[]> {
  return runStatement<'provisioning_engine_targets', { id: string; providerFlowId: string | null }>(tx, {
    name: 'provisioning_engine_targets',
    text: `select w.id, w.provider_flow_id from workflow w where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2)
      union all select r.workflow_id, r.provider_flow_id from agent_removal r where r.partner_id = $1 and ($2::uuid is null or r.client_id = $2) and r.ended_at is null
      order by 1`,
    values: [account.partnerId, account.clientId],
  });
}

/** Whether anything of an account may be in the engine: false once a teardown was complete, or when nothing was ever set up. */
export async function isInEngine(tx: SystemTx, account: Account): Promise<boolean> {
  const [row] = await runStatement<'provisioning_is_in_engine', { found: boolean }>(tx, {
    name: 'provisioning_is_in_engine',
    text: `select exists (select from automation_instance where partner_id = $1 and status <> 'unprovisioned')
        or exists (select from workflow where partner_id = $1 and provider_flow_id is not null and ($2::uuid is null or client_id = $2))
        or exists (select from engine_connection where partner_id = $1 and ($2::uuid is null or client_id = $2))
        or exists (select from agent_removal where partner_id = $1 and ended_at is null and ($2::uuid is null or client_id = $2)) as found`,
    values: [account.partnerId, account.clientId],
  });
  return row?.found ?? false;
}
