import type { RequestContext } from '#platform/http/context.ts';
import type { NotificationsDeps } from './deps.ts';
import type { Notify } from './notify.ts';
import { preferencesPage } from './pages.ts';
import { refuseLooker } from './read-notifications.ts';

const MINUTE_MS = 60_000;

/** Tells the caller, by their own choices, what a notification looks like. More than one a minute makes no second one. */
export async function sendSample(deps: Pick<NotificationsDeps, 'db'> & { notify: Notify }, { actor, now }: RequestContext): Promise<void> {
  refuseLooker(actor);
  await deps.db.asTenant(actor, (tx) =>
    deps.notify(tx, {
      partnerId: actor.partnerId,
      userIds: [actor.userId],
      type: actor.role === 'CLIENT' ? 'agent_request_resolved' : 'alert_opened',
      tone: 'info',
      title: 'This is a sample',
      body: 'You asked for it. News looks like this.',
      href: preferencesPage(actor.role).settings,
      subject: 'sample',
      dedupeKey: `sample:${Math.floor(now.getTime() / MINUTE_MS)}`,
    }),
  );
}
