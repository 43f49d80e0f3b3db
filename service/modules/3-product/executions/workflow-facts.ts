import type { ReadingClient } from '@partner-portal/core/template/input.ts';
import type { EventIdSource } from '@partner-portal/core/template/types.ts';
import { readingClient } from '@partner-portal/core/template/reading-client.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Database } from '#platform/db/tx.ts';
import { readWorkflowFacts } from './store-workflow-facts.ts';

/** The owner of a workflow, and how its events are read. */
export type WorkflowFacts = {
  partnerId: string;
  clientId: string | null;
  templateName: string;
  client: ReadingClient;
  /** Countries that the client may text. */
  textCountries: readonly string[];
  /** The agent's own location of an event's id. */
  eventIdFrom: EventIdSource | null;
  /** The agent's settings by which it plans when it contacts someone. */
  planConfig: { readonly leadHours: unknown; readonly delays: unknown };
  /** The values that the above follow from, as `accept_executions` compares them: they may have changed since. */
  basis: string;
};

/** Returns the facts of a workflow as they were read, once per process; undefined when there is none. */
export type FactsOf = (workflowId: string) => Promise<WorkflowFacts | undefined>;
export type KnownFacts = {
  factsOf: FactsOf;
  /** Reads them again, since they have changed. */
  reread: FactsOf;
};

const FACTS_MAX = 20_000;

export function createWorkflowFacts(db: Database): KnownFacts {
  const facts = new Map<string, WorkflowFacts>();
  const reread: FactsOf = async (workflowId) => {
    const row = await readWorkflowFacts(db, workflowId);
    if (!row) return undefined;
    const { partnerId, clientId, templateName, timezone, businessPhone, textCountries, eventIdFrom, dateOrder, leadHours, delays, basis } =
      row;
    const read = {
      partnerId,
      clientId,
      templateName,
      eventIdFrom,
      planConfig: { leadHours, delays },
      basis,
      ...readingClient({ timezone, phone: businessPhone, locale: localeOf(row.locale), textCountries, dateOrder }),
    };
    if (facts.size >= FACTS_MAX) for (const oldest of facts.keys()) if (facts.delete(oldest)) break;
    facts.set(workflowId, read);
    return read;
  };
  return { factsOf: async (workflowId) => facts.get(workflowId) ?? reread(workflowId), reread };
}
