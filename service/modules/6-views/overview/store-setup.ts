import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { OverviewScope } from './store.ts';

export type SetupRow = {
  status: string;
  errorPublic: string | null;
  provisionedAt: Date | null;
  attemptId: string | null;
  mode: AttemptMode | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  updatedAt: Date;
  steps: { stage: string; status: string; startedAt: string | null; finishedAt: string | null }[];
};

/** Returns the state of the setup, of the attempt that holds the instance: the redacted columns only, which are all a tenant may read. */
export async function findSetup(tx: TenantTx, partnerId: string): Promise<SetupRow | undefined> {
  const [row] = await runStatement<'summary_setup', SetupRow>(tx, {
    name: 'summary_setup',
    text: `select i.status, i.error_public, i.provisioned_at, i.updated_at, a.id as attempt_id, a.mode, a.started_at, a.finished_at,
        coalesce((select jsonb_agg(jsonb_build_object('stage', s.stage, 'status', s.status, 'startedAt', iso_time(s.started_at), 'finishedAt', iso_time(s.finished_at)) order by s."order")
          from provisioning_step s where s.attempt_id = a.id), '[]') as steps
      from automation_instance i
      left join lateral (select x.id, x.mode, x.started_at, x.finished_at from provisioning_attempt x where x.partner_id = i.partner_id and x.id = coalesce(
          (select y.id from provisioning_attempt y where y.partner_id = i.partner_id and y.id = i.current_attempt_id),
          (select y.id from provisioning_attempt y where y.partner_id = i.partner_id order by y.number desc limit 1))) a on true
      where i.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

export type SetupWorkflow = {
  workflowId: string;
  name: string;
  clientId: string | null;
  clientName: string | null;
  templateName: string;
  templateVersion: number | null;
  isActive: boolean;
  installed: boolean;
};

/** Returns the workflows in scope, newest first. */
export async function listSetupWorkflows(tx: TenantTx, scope: OverviewScope): Promise<SetupWorkflow[]> {
  return runStatement<'summary_workflows', SetupWorkflow>(tx, {
    name: 'summary_workflows',
    // A name for each row by the client's key: joined, the planner takes the few clients of an average agency, and reads thousands for each row of a large one.
    text: `select w.id as workflow_id, w.name, w.client_id, (select c.name from client c where c.id = w.client_id) as client_name, w.template_name, w.template_version, w.is_active, w.provider_flow_id is not null as installed
      from workflow w where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2) order by w.id desc limit 200`,
    values: [scope.partnerId, scope.clientId],
    // Planned for its agency: the kept plan sorts all agents, of which an average agency has twelve.
    prepare: false,
  });
}
