import type { AgentSchedule } from '@partner-portal/contract/records/schedule.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import { SCHEDULE, SCHEDULE_JOIN } from '#schema/schedule-columns.ts';

export type WorkflowRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  name: string;
  templateName: string;
  templateVersion: number | null;
  isActive: boolean;
  providerFlowId: string | null;
  schedule: AgentSchedule | null;
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = `w.id, w.partner_id, w.client_id, w.name, w.template_name, w.template_version, w.is_active, w.provider_flow_id, ${SCHEDULE}, w.created_at, w.updated_at`;

export type WorkflowFilters = { partnerId: string | null; clientId?: string | undefined };

export async function listWorkflowRows(tx: Tx, filters: WorkflowFilters, before: string | null, limit: number): Promise<WorkflowRow[]> {
  return runStatement<'workflows_list_workflow_rows', WorkflowRow>(tx, {
    name: 'workflows_list_workflow_rows',
    prepare: false,
    text: `select ${COLUMNS} from workflow w ${SCHEDULE_JOIN}
      where ($1::uuid is null or w.partner_id = $1) and ($2::uuid is null or w.client_id = $2) and ($3::uuid is null or w.id < $3)
      order by w.id desc limit $4`,
    values: [filters.partnerId, filters.clientId ?? null, before, limit],
  });
}

export async function findWorkflow(tx: Tx, id: string): Promise<WorkflowRow | undefined> {
  const [row] = await runStatement<'workflows_find_workflow', WorkflowRow>(tx, {
    name: 'workflows_find_workflow',
    text: `select ${COLUMNS} from workflow w ${SCHEDULE_JOIN} where w.id = $1`,
    values: [id],
  });
  return row;
}
