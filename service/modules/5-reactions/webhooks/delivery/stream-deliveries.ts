import type { Actor } from '#platform/actor.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { followChanges, type Following, markLast, OVERLAP_MS, timeId, timeOfId } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import type { DeliveryAnswer } from '../answers.ts';
import type { ManageDeps } from '../deps.ts';
import { readDeliveries } from '../endpoints/read-endpoints.ts';
import { deliveriesChanged } from './topic.ts';

type Deps = Pick<ManageDeps, 'db' | 'notices' | 'log'>;

/** Notices are hints that may be lost with a connection: something pending is looked at again after a while in any case. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Deliveries of an endpoint as they change: event `delivery` with the record as the list shows it, of the newest 50. The event id is the
 * time up to which the stream is complete, so Last-Event-ID resumes even in another process.
 */
export async function streamDeliveries(deps: Deps, actor: Actor, endpointId: string): Promise<EventsAnswer> {
  const known = marksOf(await readDeliveries(deps, actor, endpointId));
  return {
    kind: 'events',
    source: {
      async open(send, lastEventId) {
        const stream = follow(deps, actor, endpointId, { known, since: timeOfId(lastEventId), send });
        await stream.look();
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
    // An endpoint that is gone shows nothing more.
    endsWith: ['not_found'],
    subscribe: (changed) =>
      notices.subscribe(
        deliveriesChanged,
        ({ endpoints }) => {
          if (endpoints.some((one) => one.endpointId === endpointId)) changed();
        },
        changed,
      ),
    look: async () => {
      const id = timeId(new Date());
      const rows = await readDeliveries({ db }, actor, endpointId);
      const isNews = (row: DeliveryAnswer): boolean =>
        known.get(row.id) !== markOf(row) || (missedSince !== null && lastMoveOf(row) >= missedSince);
      // Oldest first: the reader puts each on top of the one before.
      const news = rows.filter(isNews).map((data) => ({ id, event: 'delivery', data }));
      for (const event of markLast(news.toReversed(), complete)) send(event);
      complete = id;
      missedSince = null;
      known.clear();
      for (const [id, mark] of marksOf(rows)) known.set(id, mark);
      clearTimeout(timer);
      if (rows.some((row) => row.status === 'pending')) timer = setTimeout(() => void stream.look(), LOOK_AGAIN_MS).unref();
    },
  });
  return {
    look: stream.look,
    stop: () => {
      clearTimeout(timer);
      stream.stop();
    },
  };
}

function marksOf(rows: readonly DeliveryAnswer[]): Map<string, string> {
  return new Map(rows.map((row) => [row.id, markOf(row)]));
}

/** Whatever a reader could see change. */
function markOf(row: DeliveryAnswer): string {
  const last = row.attempts.at(-1);
  return [row.status, row.attempts.length, last?.durationMs ?? '', last?.error ?? '', row.nextAttemptAt?.getTime() ?? ''].join(' ');
}

function lastMoveOf(row: DeliveryAnswer): Date {
  const last = row.attempts.at(-1);
  const attemptEnd = last ? new Date(last.at.getTime() + (last.durationMs ?? 0)) : row.createdAt;
  const moves = [row.createdAt, attemptEnd, row.finishedAt ?? row.createdAt];
  return moves.reduce((a, b) => (a > b ? a : b));
}
