import type { Database } from '#platform/db/tx.ts';
import { readWorkflowFacts, type WorkflowFacts } from './store-accept.ts';

/** Returns what never changes of a workflow: read once per process; undefined when there is none. */
export type FactsOf = (workflowId: string) => Promise<WorkflowFacts | undefined>;

const FACTS_MAX = 20_000;

export function createWorkflowFacts(db: Database): FactsOf {
  const facts = new Map<string, WorkflowFacts>();
  return async (workflowId) => {
    const known = facts.get(workflowId);
    if (known) return known;
    const read = await readWorkflowFacts(db, workflowId);
    if (!read) return undefined;
    if (facts.size >= FACTS_MAX) for (const oldest of facts.keys()) if (facts.delete(oldest)) break;
    facts.set(workflowId, read);
    return read;
  };
}
