import type { DateOrder } from '@partner-portal/core/template/input.ts';
import type { EventIdSource } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';

/** A workflow, and what of it and its client decides how its events are read. An agent of an agency itself has the zone of the agency. */
export type WorkflowFactsRow = {
  partnerId: string;
  clientId: string | null;
  templateName: string;
  timezone: string;
  businessPhone: string | null;
  locale: string;
  textCountries: string[] | null;
  eventIdFrom: EventIdSource | null;
  dateOrder: DateOrder | null;
  /** Settings by which an agent plans when it contacts someone; null for one without. */
  leadHours: unknown;
  delays: unknown;
  basis: string;
};

export async function readWorkflowFacts(db: Database, workflowId: string): Promise<WorkflowFactsRow | undefined> {
  const [facts] = await db.call<'workflow_facts', WorkflowFactsRow>({
    name: 'workflow_facts',
    text: 'select * from workflow_facts($1)',
    values: [workflowId],
  });
  return facts;
}
