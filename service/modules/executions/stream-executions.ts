import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import { isRefusal } from '#platform/refuse.ts';
import { runsChanged } from './announce.ts';
import { filtersFor, refuseUnknownScope } from './list-executions.ts';
import { runAnswerFor } from './run-answer.ts';
import { findRuns, listChangedSince, type RunRow } from './store.ts';

export type StreamDeps = { db: Database; notices: Notices; log: Log };
export type StreamQuery = { clientId?: string | undefined; workflowId?: string | undefined; partnerId?: string | undefined };

const RESUME_MAX = 200;
const QUERY_MAX = 200;
/** A commit may become visible a moment after its time: a resumed stream looks back a little further, and repeats are harmless. */
const OVERLAP_MS = 2_000;

/**
 * Starts and ends of runs in scope, as they happen: `execution.started` and `execution.finished`, each with the run as the list shows it.
 * The event id is the time up to which the stream is complete, so Last-Event-ID resumes even in another process.
 */
export async function streamExecutions(deps: StreamDeps, actor: Actor, query: StreamQuery): Promise<EventsAnswer> {
  const filters = await inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const own = filtersFor(actor, query, partnerId);
    await refuseUnknownScope(tx, own, 0);
    return own;
  });
  return {
    kind: 'events',
    source: {
      async open(send, lastEventId) {
        const live = followRuns(deps, {
          wants: (partnerId) => filters.partnerId === null || filters.partnerId === partnerId,
          read: (ids) => inScope(deps.db, actor, query.partnerId, (tx) => findRuns(tx, ids, filters)),
          send: (row, readAt) => send(runEvent(actor, row, readAt)),
        });
        const since = parseEventId(lastEventId);
        if (since) {
          const readAt = Date.now();
          const missed = await inScope(deps.db, actor, query.partnerId, (tx) =>
            listChangedSince(tx, filters, new Date(since.getTime() - OVERLAP_MS), RESUME_MAX),
          ).catch((error: unknown) => {
            // Nobody is handed a way to stop what never opened.
            live.stop();
            throw error;
          });
          for (const row of missed) send(runEvent(actor, row, readAt));
        }
        return live.stop;
      },
    },
  };
}

type Follow = {
  wants: (partnerId: string) => boolean;
  read: (ids: string[]) => Promise<RunRow[]>;
  send: (row: RunRow, readAt: number) => void;
};

/** One query at a time; what changes meanwhile is asked for together afterwards. */
function followRuns(deps: StreamDeps, follow: Follow): { stop: () => void } {
  const pending = new Set<string>();
  let busy = false;
  let stopped = false;
  const drain = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      while (pending.size > 0 && !stopped) {
        const ids = [...pending].slice(0, QUERY_MAX);
        for (const id of ids) pending.delete(id);
        const readAt = Date.now();
        for (const row of await follow.read(ids)) follow.send(row, readAt);
      }
    } catch (error) {
      // A session that has ended sees nothing more; anything else is told by the next change.
      if (isRefusal(error, 'unauthenticated') || isRefusal(error, 'user_disabled') || isRefusal(error, 'account_suspended')) stop();
      else deps.log.warn({ err: error }, 'changes of runs were not streamed');
    } finally {
      busy = false;
    }
  };
  const unsubscribe = deps.notices.subscribe(runsChanged, ({ changes }) => {
    const ids = changes.filter(({ partnerId }) => follow.wants(partnerId)).flatMap((change) => change.ids);
    if (ids.length === 0) return;
    for (const id of ids) pending.add(id);
    void drain();
  });
  const stop = (): void => {
    stopped = true;
    unsubscribe();
  };
  return { stop };
}

function runEvent(reader: Actor, row: RunRow, readAt: number): ServerEvent {
  return {
    id: String(readAt),
    event: row.status === 'RUNNING' ? 'execution.started' : 'execution.finished',
    data: runAnswerFor(reader, row),
  };
}

function parseEventId(id: string | null): Date | null {
  const at = id !== null && /^\d{10,15}$/.test(id) ? new Date(Number(id)) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
}
