import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { nextPlace, streamRows, timeId } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import { refuse } from '#platform/refuse.ts';
import { toRequests } from './records.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { findRequestsInScope, listRequestsAfter, type RequestRow } from './store.ts';
import { requestsChanged } from './topic.ts';

export type StreamQuery = { clientId?: string | undefined; partnerId?: string | undefined };

/**
 * Streams every change of a request in scope: `agent_request.changed` with the record as the list shows it to this reader. The event id is
 * the time up to which the stream is complete, so Last-Event-ID resumes in any process.
 */
export async function streamRequests(deps: AgentRequestsDeps, actor: Actor, query: StreamQuery): Promise<EventsAnswer> {
  if (actor.clientId !== null && query.clientId !== undefined && query.clientId !== actor.clientId) return refuse('not_found');
  const filters = await inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const own = { partnerId, clientId: actor.clientId ?? query.clientId };
    await refuseUnknownScope(tx, own, 0);
    return own;
  });
  const read = (rowsOf: (tx: Tx) => Promise<RequestRow[]>): Promise<{ rows: RequestRow[]; events: ServerEvent[] }> =>
    inScope(deps.db, actor, query.partnerId, async (tx) => {
      const id = timeId(new Date());
      const rows = await rowsOf(tx);
      const answers = await toRequests(deps, tx, rows, actor);
      return { rows, events: answers.map((data) => ({ id, event: 'agent_request.changed', data })) };
    });
  const source = streamRows({
    log: deps.log,
    what: 'requests',
    subscribe: (changed, missed) => {
      const onChanged = ({ partnerId, id }: { partnerId: string; id: string }): void => {
        if (filters.partnerId === null || filters.partnerId === partnerId) changed([id]);
      };
      return deps.notices.subscribe(requestsChanged, onChanged, missed);
    },
    read: async (ids) => (await read((tx) => findRequestsInScope(tx, filters, ids))).events,
    readAfter: async (place, max) => {
      const { rows, events } = await read((tx) => listRequestsAfter(tx, filters, place, max));
      return { events, next: nextPlace(rows, max, ({ id, updatedAt }) => ({ id, time: updatedAt })) };
    },
  });
  return { kind: 'events', source };
}
