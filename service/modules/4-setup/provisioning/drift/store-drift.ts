import type { DRIFT_STATES } from '@partner-portal/contract/vocabulary.ts';
import { HELD_STATUSES } from '@partner-portal/core/provisioning/instance.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

type DriftState = (typeof DRIFT_STATES)[number];
export type FoundDrift = {
  workflowId: string;
  providerFlowId: string;
  state: DriftState;
  differences: readonly { step: string; what: string }[];
};

/** A flow that was not looked at is as it was; one that replaced another begins with what is found now. */
const FOUND_AT = `case when excluded.state = 'none' then null when d.provider_flow_id = excluded.provider_flow_id then coalesce(d.found_at, excluded.found_at) else excluded.found_at end`;

/**
 * Keeps what a look found, and returns whether it differs from what the last one found; the instance has changed then. A flow that was replaced while it was
 * looked at, and an agency that is being set up, keep nothing. The instance is locked first, as attempts do.
 */
export async function saveDrift(tx: SystemTx, partnerId: string, found: readonly FoundDrift[]): Promise<boolean> {
  const rows = await runStatement<'provisioning_save_drift', { partnerId: string }>(tx, {
    name: 'provisioning_save_drift',
    text: `with i as materialized (
        select partner_id from automation_instance where partner_id = $1 and status <> all($6) for no key update),
      saved as (
        insert into workflow_drift as d (workflow_id, partner_id, state, differences, provider_flow_id, found_at)
        select w.id, w.partner_id, f.state, f.differences, f.flow_id, case when f.state in ('missing', 'changed') then now() end
        from unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[]) as f(workflow_id, flow_id, state, differences)
        join workflow w on w.id = f.workflow_id and w.partner_id = $1 and w.provider_flow_id = f.flow_id
        join i on i.partner_id = w.partner_id
        order by w.id for key share of w
        on conflict (workflow_id) do update set state = excluded.state, differences = excluded.differences, provider_flow_id = excluded.provider_flow_id, checked_at = now(), found_at = ${FOUND_AT}
        returning (old.state, old.differences, old.provider_flow_id) is distinct from (new.state, new.differences, new.provider_flow_id) as is_changed)
      update automation_instance set updated_at = now() where partner_id = $1 and exists (select from saved where is_changed) returning partner_id`,
    values: [
      partnerId,
      found.map((one) => one.workflowId),
      found.map((one) => one.providerFlowId),
      found.map((one) => one.state),
      found.map((one) => JSON.stringify(one.differences)),
      HELD_STATUSES,
    ],
  });
  return rows.length > 0;
}

/** Records that the flows an attempt has just installed and verified match their template. */
export async function saveVerified(tx: SystemTx, partnerId: string, workflowIds: readonly string[]): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_save_verified',
    text: `insert into workflow_drift (workflow_id, partner_id, state, provider_flow_id)
      select w.id, w.partner_id, 'none', w.provider_flow_id from workflow w where w.partner_id = $1 and w.id = any($2::uuid[]) and w.provider_flow_id is not null
      order by w.id for key share
      on conflict (workflow_id) do update set state = 'none', differences = '[]', provider_flow_id = excluded.provider_flow_id, checked_at = now(), found_at = null`,
    values: [partnerId, workflowIds],
  });
}

/** Agencies with something installed, a page at a time in the order of their ids. */
export async function listReadyPartners(tx: SystemTx, afterId: string | null, limit: number): Promise<string[]> {
  const rows = await runStatement<'provisioning_list_ready_partners', { partnerId: string }>(tx, {
    name: 'provisioning_list_ready_partners',
    text: "select partner_id from automation_instance where status = 'ready' and ($1::uuid is null or partner_id > $1) order by partner_id limit $2",
    values: [afterId, limit],
  });
  return rows.map((row) => row.partnerId);
}
