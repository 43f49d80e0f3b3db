import { query } from '#platform/db/statements.ts';
import { sql } from 'kysely';
import type { Tx } from '#platform/db/tx.ts';

export type WorkflowRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  name: string;
  templateName: string;
  templateVersion: number | null;
  isActive: boolean;
  providerFlowId: string | null;
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = sql`w.id, w.partner_id, w.client_id, w.name, w.template_name, w.template_version, w.is_active, w.provider_flow_id, w.created_at, w.updated_at`;

export type WorkflowFilters = { partnerId: string | null; clientId?: string | undefined };

export async function listWorkflowRows(tx: Tx, filters: WorkflowFilters, before: string | null, limit: number): Promise<WorkflowRow[]> {
  const { rows } = await query<'workflows_list_workflow_rows', WorkflowRow>`select ${COLUMNS} from workflow w
    where true ${filters.partnerId === null ? sql`` : sql`and w.partner_id = ${filters.partnerId}::uuid`}
      ${filters.clientId === undefined ? sql`` : sql`and w.client_id = ${filters.clientId}::uuid`}
      ${before === null ? sql`` : sql`and w.id < ${before}::uuid`}
    order by w.id desc limit ${limit}`.execute(tx);
  return rows;
}

export async function findWorkflow(tx: Tx, id: string): Promise<WorkflowRow | undefined> {
  const { rows } = await query<'workflows_find_workflow', WorkflowRow>`select ${COLUMNS} from workflow w where w.id = ${id}::uuid`.execute(
    tx,
  );
  return rows[0];
}
