import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { HELD_STATUSES } from '@partner-portal/core/provisioning/instance.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** Deletes the agent's row and records what must be removed from the engine, under the caller's lease. */
export async function removeAgentRow(tx: Tx, id: string, leaseSeconds: number): Promise<'removed' | 'busy' | null> {
  const [row] = await runStatement<'agent_remove', { result: 'removed' | 'busy' | null }>(tx, {
    name: 'agent_remove',
    text: 'select remove_agent($1, $2, $3) as result',
    values: [id, leaseSeconds, HELD_STATUSES],
  });
  return row?.result ?? null;
}

export type Removal = {
  workflowId: string;
  partnerId: string;
  clientId: string | null;
  templateName: string;
  providerFlowId: string | null;
  /** The engine project of the partner; null when it was never set up. */
  projectId: string | null;
  /** Its executions in progress: deleting the flow would end them without a report. */
  running: number;
  attempts: number;
};

const REMOVAL = `r.workflow_id, r.partner_id, r.client_id, r.template_name, r.provider_flow_id, i.project_id, r.attempts,
  (select count(*)::int from execution e where e.workflow_id = r.workflow_id and e.status = 'RUNNING' and e.id >= uuid_floor(now() - interval '2 days')) as running
  from agent_removal r left join automation_instance i on i.partner_id = r.partner_id`;

export async function findRemoval(tx: SystemTx, workflowId: string): Promise<Removal | undefined> {
  const [row] = await runStatement<'removal_find', Removal>(tx, {
    name: 'removal_find',
    text: `select ${REMOVAL} where r.workflow_id = $1 and r.due_at is not null`,
    values: [workflowId],
  });
  return row;
}

/** Claims due removals for `leaseSeconds`. Returns their workflow ids. */
export async function claimRemovals(tx: SystemTx, batch: number, leaseSeconds: number): Promise<string[]> {
  const rows = await runStatement<'removal_claim', { workflowId: string }>(tx, {
    name: 'removal_claim',
    text: `update agent_removal set due_at = now() + make_interval(secs => $2)
      where workflow_id in (select workflow_id from agent_removal where due_at <= now() order by due_at limit $1 for update skip locked) returning workflow_id`,
    values: [batch, leaseSeconds],
  });
  return rows.map((row) => row.workflowId);
}

export async function endRemoval(tx: SystemTx, workflowId: string): Promise<void> {
  await runStatement(tx, {
    name: 'removal_end',
    text: 'update agent_removal set due_at = null, ended_at = now(), last_error = null where workflow_id = $1',
    values: [workflowId],
  });
}

/** Due again in `waitMs`; `error` counts as one more attempt. */
export async function postponeRemoval(tx: SystemTx, workflowId: string, waitMs: number, error: string | null): Promise<void> {
  await runStatement(tx, {
    name: 'removal_postpone',
    text: `update agent_removal set due_at = now() + make_interval(secs => $2::double precision / 1000), last_error = $3, attempts = attempts + ($3::text is not null)::int
      where workflow_id = $1`,
    values: [workflowId, waitMs, error],
  });
}

export type StoredNeed = Exclude<Provider, 'code'>;
