import type { z } from 'zod';
import type { Actor } from '#platform/actor.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { followChanges, type Following, markLast, timeId, timeOfId } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import { findChangedSetups, provisioningChanged } from '#modules/4-setup/provisioning/index.ts';
import type { NotificationsDeps } from './deps.ts';
import { countUnread, listSince } from './store.ts';
import { notificationsChanged } from './topic.ts';

type SetupChange = z.infer<typeof provisioningChanged.payload>;

const BATCH = 50;
/** A commit can become visible after its timestamp, so each read overlaps the last; repeats are filtered. */
const OVERLAP_MS = 5_000;

/**
 * Streams `notification.created` with the record and `notification.count` with the number of unread ones. The count is also sent at the
 * start and when something was read elsewhere. `setup.changed` says that agents of an agency were or are being installed, removed or compared with
 * their templates, or may have been: pages with agents read again. The event id is the time up to which the stream is complete: one that resumes begins with
 * the setups that changed meanwhile.
 */
export function streamNotifications(deps: NotificationsDeps, actor: Actor): EventsAnswer {
  return {
    kind: 'events',
    source: {
      async open(send, lastEventId) {
        const resumed = timeOfId(lastEventId);
        const live = follow(deps, actor, send, { from: resumed ?? deps.clock.now(), isResumed: resumed !== null });
        await live.read();
        return live.stop;
      },
    },
  };
}

/** Whether the reader has pages on which a setup of this agency, or of one of its clients, shows. Pages of clients show no comparison. */
function concerns(actor: Actor, { partnerId, clientId, what }: SetupChange): boolean {
  if (what === 'step' || (what === 'compared' && actor.role === 'CLIENT')) return false;
  if (actor.role === 'ADMIN') return true;
  return actor.partnerId === partnerId && (actor.clientId === null || clientId === null || actor.clientId === clientId);
}

function follow(
  deps: NotificationsDeps,
  actor: Actor,
  send: (event: ServerEvent) => void,
  { from, isResumed }: { from: Date; isResumed: boolean },
): Following {
  let since = from;
  /** Since when notices of setups may have been missed. */
  let gap = isResumed ? from : null;
  let sent = new Set<string>();
  const sayChanged = (partnerId: string): void => send({ id: timeId(since), event: 'setup.changed', data: { partnerId } });
  const sayMissed = async (): Promise<void> => {
    if (!gap) return;
    const start = gap;
    gap = null;
    const missed = await findChangedSetups(deps.db, actor, new Date(start.getTime() - OVERLAP_MS)).catch((error: unknown) => {
      gap = start;
      throw error;
    });
    for (const partnerId of missed) sayChanged(partnerId);
  };
  return followChanges({
    log: deps.log,
    what: 'notifications',
    subscribe: (changed) => {
      const stops = [
        deps.notices.subscribe(
          notificationsChanged,
          ({ userIds }) => {
            if (userIds.includes(actor.userId)) changed();
          },
          changed,
        ),
        deps.notices.subscribe(
          provisioningChanged,
          (change) => {
            if (concerns(actor, change)) sayChanged(change.partnerId);
          },
          () => {
            if (actor.role !== 'ADMIN') return sayChanged(actor.partnerId);
            gap ??= since;
            changed();
          },
        ),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    read: async () => {
      const readAt = deps.clock.now();
      const { rows, unread } = await deps.db.asTenant(actor, async (tx) => ({
        rows: await listSince(tx, actor.userId, new Date(since.getTime() - OVERLAP_MS), BATCH),
        unread: await countUnread(tx, actor.userId),
      }));
      await sayMissed();
      const id = timeId(readAt);
      const created = rows.filter((row) => !sent.has(row.id)).map((data) => ({ id, event: 'notification.created', data }));
      for (const event of markLast([...created, { id, event: 'notification.count', data: { unread } }], timeId(since))) send(event);
      sent = new Set(rows.map((row) => row.id));
      since = readAt;
    },
  });
}
