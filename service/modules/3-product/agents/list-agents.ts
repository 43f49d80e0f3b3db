import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Database } from '#platform/db/tx.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { toAgentRecord, toAgentRecords, type AgentRecordDeps } from './agent-record.ts';
import { type AgentFilters, findAgent, listAgentRows } from './store.ts';

export type AgentDeps = AgentRecordDeps & { db: Database; cursors: Cursors };
export type AgentQuery = Omit<AgentFilters, 'partnerId'> & { limit: number; cursor?: string | undefined; partnerId?: string | undefined };

export async function listAgents(deps: AgentDeps, actor: Actor, query: AgentQuery) {
  const { limit, cursor, ...requested } = query;
  if (actor.clientId !== null && requested.clientId !== undefined && requested.clientId !== actor.clientId) refuse('not_found');
  return inScope(deps.db, actor, requested.partnerId, async (tx, partnerId) => {
    const filters = { ...requested, partnerId, clientId: actor.clientId ?? requested.clientId, q: requested.q?.trim() };
    const bound = { ...filters, list: 'agents' };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const rows = await listAgentRows(tx, filters, before, limit + 1);
    await refuseUnknownScope(tx, filters, rows.length);
    const page = toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: await toAgentRecords(deps, tx, page.data, actor), nextCursor: page.nextCursor };
  });
}

export async function getAgent(deps: AgentDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findAgent(tx, id);
    if (!row) return refuse('not_found');
    return toAgentRecord(deps, tx, row, actor);
  });
}
