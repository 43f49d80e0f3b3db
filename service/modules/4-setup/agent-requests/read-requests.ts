import { OPEN_REQUEST_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
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

export function readRequests(deps: AgentRequestsDeps, actor: Actor, query: RequestQuery) {
  return readScopedPage(deps, actor, query, {
    list: 'agent-requests',
    rows: (tx, filters, before, limit) => listRequests(tx, { ...filters, among: OPEN_REQUEST_STATUSES }, before, limit),
    items: (tx, rows) => toRequests(deps, tx, rows, actor),
  });
}

export async function readRequest(deps: AgentRequestsDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findRequest(tx, id);
    return row ? toRequest(deps, tx, row, actor) : refuse('not_found');
  });
}
