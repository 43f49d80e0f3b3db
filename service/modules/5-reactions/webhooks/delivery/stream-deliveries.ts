import type { Actor } from '#platform/actor.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { followChanges, type Following, markLast, OVERLAP_MS, timeId, timeOfId } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import type { DeliveryRecord } from './to-record.ts';
import type { ManageDeps } from '../deps.ts';
import { readDeliveries } from './read-deliveries.ts';
import { deliveriesChanged } from '../topic.ts';

type Deps = Pick<ManageDeps, 'db' | 'notices' | 'log'>;

/** Poll interval while a delivery is pending: notices can be lost with a connection. */
const POLL_MS = 5_000;

/**
 * Streams changes of the endpoint's 50 newest deliveries: event `delivery` with the record of the list. The event id is the time up to which
 * the stream is complete, so Last-Event-ID resumes in any process.
 */
export async function streamDeliveries(deps: Deps, actor: Actor, endpointId: string): Promise<EventsAnswer> {
  const known = marksOf(await readDeliveries(deps, actor, endpointId));
  return {
    kind: 'events',
    source: {
      async open(send, lastEventId) {
        const stream = follow(deps, actor, endpointId, { known, since: timeOfId(lastEventId), send });
        await stream.read();
        return stream.stop;
      },
    },
  };
}

type Followed = { known: Map<string, string>; since: Date | null; send: (event: ServerEvent) => void };

function follow({ db, notices, log }: Deps, actor: Actor, endpointId: string, { known, since, send }: Followed): Following {
  let missedSince = since && new Date(since.getTime() - OVERLAP_MS);
  let complete = timeId(since ?? new Date());
  let timer: NodeJS.Timeout | undefined;
  const stream = followChanges({
    log,
    what: 'deliveries',
    // Ends when the endpoint was removed.
    endsWith: ['not_found'],
    subscribe: (notify) =>
      notices.subscribe(
        deliveriesChanged,
        ({ endpoints }) => {
          if (endpoints.some((one) => one.endpointId === endpointId)) notify();
        },
        notify,
      ),
    read: async () => {
      const id = timeId(new Date());
      const rows = await readDeliveries({ db }, actor, endpointId);
      const isChanged = (row: DeliveryRecord): boolean =>
        known.get(row.id) !== markOf(row) || (missedSince !== null && lastMoveOf(row) >= missedSince);
      // Oldest first: the reader prepends each.
      const changed = rows.filter(isChanged).map((data) => ({ id, event: 'delivery', data }));
      for (const event of markLast(changed.toReversed(), complete)) send(event);
      complete = id;
      missedSince = null;
      known.clear();
      for (const [id, mark] of marksOf(rows)) known.set(id, mark);
      clearTimeout(timer);
      if (rows.some((row) => row.status === 'pending')) timer = setTimeout(() => void stream.read(), POLL_MS).unref();
    },
  });
  return {
    read: stream.read,
    stop: () => {
      clearTimeout(timer);
      stream.stop();
    },
  };
}

function marksOf(rows: readonly DeliveryRecord[]): Map<string, string> {
  return new Map(rows.map((row) => [row.id, markOf(row)]));
}

/** Everything a reader can see change. */
function markOf(row: DeliveryRecord): string {
  const last = row.attempts.at(-1);
  return [row.status, row.attempts.length, last?.durationMs ?? '', last?.error ?? '', row.nextAttemptAt?.getTime() ?? ''].join(' ');
}

function lastMoveOf(row: DeliveryRecord): Date {
  const last = row.attempts.at(-1);
  const attemptEnd = last ? new Date(last.at.getTime() + (last.durationMs ?? 0)) : row.createdAt;
  const moves = [row.createdAt, attemptEnd, row.finishedAt ?? row.createdAt];
  return moves.reduce((a, b) => (a > b ? a : b));
}
