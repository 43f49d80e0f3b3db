import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { nextPlace, streamRows, timeId } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import { executionsChanged } from '../publish-changes.ts';
import { filtersFor } from './list-executions.ts';
import { toExecutionRecordFor } from './execution-record.ts';
import { type ExecutionRow, findExecutionRows, listChangedAfter } from './store.ts';

export type StreamDeps = { db: Database; notices: Notices; log: Log };
export type StreamQuery = { clientId?: string | undefined; workflowId?: string | undefined; partnerId?: string | undefined };

/**
 * Streams starts and ends of executions in scope as `execution.started` and `execution.finished`, each with the execution as in the list.
 * The event id is the time up to which the stream is complete, so Last-Event-ID resumes even in another process.
 */
export async function streamExecutions({ db, notices, log }: StreamDeps, actor: Actor, query: StreamQuery): Promise<EventsAnswer> {
  const filters = await inScope(db, actor, query.partnerId, async (tx, partnerId) => {
    const own = filtersFor(actor, query, partnerId);
    await refuseUnknownScope(tx, own, 0);
    return own;
  });
  const read = async (rowsOf: (tx: Tx) => Promise<ExecutionRow[]>): Promise<{ rows: ExecutionRow[]; events: ServerEvent[] }> => {
    const id = timeId(new Date());
    const { rows, locale } = await inScope(db, actor, query.partnerId, async (tx) => ({
      rows: await rowsOf(tx),
      locale: await readerLocale(tx, actor),
    }));
    const reader = { role: actor.role, locale };
    const events = rows.map((row) => ({
      id,
      event: row.status === 'RUNNING' ? 'execution.started' : 'execution.finished',
      data: toExecutionRecordFor(reader, row),
    }));
    return { rows, events };
  };
  const source = streamRows({
    log,
    what: 'runs',
    subscribe: (changed, missed) =>
      notices.subscribe(
        executionsChanged,
        ({ changes }) =>
          changed(
            changes
              .filter(({ partnerId }) => filters.partnerId === null || filters.partnerId === partnerId)
              .flatMap((change) => change.ids),
          ),
        missed,
      ),
    read: async (ids) => (await read((tx) => findExecutionRows(tx, ids, filters))).events,
    readAfter: async (place, max) => {
      const { rows, events } = await read((tx) => listChangedAfter(tx, filters, place, max));
      return {
        events,
        next: nextPlace(rows, max, ({ id, startedAt, finishedAt }) => ({
          id,
          time: finishedAt !== null && finishedAt > startedAt ? finishedAt : startedAt,
        })),
      };
    },
  });
  return { kind: 'events', source };
}
