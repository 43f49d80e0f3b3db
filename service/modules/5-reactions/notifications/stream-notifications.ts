import type { z } from 'zod';
import type { Actor } from '#platform/actor.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { followChanges, type Following, markLast, timeId, timeOfId } from '#platform/http/follow-changes.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import { provisioningChanged } from '#modules/4-setup/provisioning/index.ts';
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
 * their templates, or may have been: pages with agents read again. The event id is the time up to which the stream is complete.
 */
export function streamNotifications(deps: NotificationsDeps, actor: Actor): EventsAnswer {
  return {
    kind: 'events',
    source: {
      async open(send, lastEventId) {
        const live = follow(deps, actor, send, timeOfId(lastEventId) ?? deps.clock.now());
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

function follow(deps: NotificationsDeps, actor: Actor, send: (event: ServerEvent) => void, from: Date): Following {
  let since = from;
  let sent = new Set<string>();
  const sayChanged = (partnerId: string): void => send({ id: timeId(since), event: 'setup.changed', data: { partnerId } });
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
          // Staff have no agency of their own: the page of a setup has its own stream.
          () => {
            if (actor.role !== 'ADMIN') sayChanged(actor.partnerId);
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
      const id = timeId(readAt);
      const created = rows.filter((row) => !sent.has(row.id)).map((data) => ({ id, event: 'notification.created', data }));
      for (const event of markLast([...created, { id, event: 'notification.count', data: { unread } }], timeId(since))) send(event);
      sent = new Set(rows.map((row) => row.id));
      since = readAt;
    },
  });
}
