import { OPEN_STATUSES } from '@partner-portal/core/provisioning/agent-request.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { toRequest, toRequests } from './records.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { findRequest, listRequests } from './store.ts';

export type RequestQuery = {
  status?: string | undefined;
  /** True: requests that are not done; false: those that are. */
  open?: boolean | undefined;
  clientId?: string | undefined;
  partnerId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

export async function readRequests(deps: AgentRequestsDeps, actor: Actor, query: RequestQuery) {
  const { limit, cursor, ...requested } = query;
  if (actor.clientId !== null && requested.clientId !== undefined && requested.clientId !== actor.clientId) return refuse('not_found');
  return inScope(deps.db, actor, requested.partnerId, async (tx, partnerId) => {
    const filters = { ...requested, partnerId, clientId: actor.clientId ?? requested.clientId };
    const bound = { ...filters, list: 'agent-requests' };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const rows = await listRequests(tx, { ...filters, among: OPEN_STATUSES }, before, limit + 1);
    await refuseUnknownScope(tx, filters, rows.length);
    const page = toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: await toRequests(deps, tx, page.data, actor), nextCursor: page.nextCursor };
  });
}

export async function readRequest(deps: AgentRequestsDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findRequest(tx, id);
    return row ? toRequest(deps, tx, row, actor) : refuse('not_found');
  });
}
