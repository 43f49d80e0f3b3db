import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { toAgentRecord, toAgentRecords, type AgentRecordDeps } from './agent-record.ts';
import { type AgentFilters, findAgent, listAgentRows } from './store.ts';

export type AgentDeps = AgentRecordDeps & { db: Database; cursors: Cursors };
export type AgentQuery = Omit<AgentFilters, 'partnerId'> & { limit: number; cursor?: string | undefined; partnerId?: string | undefined };

export function listAgents(deps: AgentDeps, actor: Actor, query: AgentQuery) {
  return readScopedPage(
    deps,
    actor,
    { ...query, q: query.q?.trim() },
    { list: 'agents', rows: listAgentRows, items: (tx, rows) => toAgentRecords(deps, tx, rows, actor) },
  );
}

export async function getAgent(deps: AgentDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findAgent(tx, id);
    if (!row) return refuse('not_found');
    return toAgentRecord(deps, tx, row, actor);
  });
}
