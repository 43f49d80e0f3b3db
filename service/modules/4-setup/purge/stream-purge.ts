import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { followChanges } from '#platform/http/follow-changes.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import { readPurge } from './read-purge.ts';
import { purgeChanged } from './topic.ts';

export type StreamDeps = { db: Database; log: Log; notices: Pick<Notices, 'subscribe'> };

/**
 * Streams a purge as it proceeds: `purge` with the whole record, initially and after each change. Each event replaces the one before, so a
 * reader that reconnects needs no position.
 */
export async function streamPurge(deps: StreamDeps, actor: Actor, deletionRequestId: string): Promise<EventsAnswer> {
  await readPurge(deps.db, actor, deletionRequestId);
  return {
    kind: 'events',
    source: {
      async open(send) {
        let sent = '';
        const stream = followChanges({
          log: deps.log,
          what: 'a purge',
          // A purged account takes the purges of its clients with it.
          endsWith: ['not_found'],
          subscribe: (changed) =>
            deps.notices.subscribe(
              purgeChanged,
              (change) => {
                if (change.deletionRequestId === deletionRequestId) changed();
              },
              changed,
            ),
          read: async () => {
            const data = await readPurge(deps.db, actor, deletionRequestId);
            const text = JSON.stringify(data);
            if (text === sent) return;
            sent = text;
            send({ id: String(Date.now()), event: 'purge', data });
          },
        });
        await stream.read();
        return stream.stop;
      },
    },
  };
}
