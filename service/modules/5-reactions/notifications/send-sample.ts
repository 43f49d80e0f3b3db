import { ACCOUNT_PAGES } from '@partner-portal/contract/account-pages.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { NotificationsDeps } from './deps.ts';
import type { Notify } from './notify.ts';
import { refuseViewAs } from './read-notifications.ts';

const MINUTE_MS = 60_000;

/** Sends the caller a sample notification, at most one per minute: in the bell by their own preferences, and by mail, which they asked for with it. */
export async function sendSample(deps: Pick<NotificationsDeps, 'db'> & { notify: Notify }, { actor, now }: RequestContext): Promise<void> {
  refuseViewAs(actor);
  await deps.db.asTenant(actor, (tx) =>
    deps.notify(tx, {
      partnerId: actor.partnerId,
      clientId: actor.clientId,
      userIds: [actor.userId],
      type: actor.role === 'CLIENT' ? 'agent_request_resolved' : 'alert_opened',
      tone: 'info',
      title: ({ t }) => t('notifications.sample'),
      body: ({ t }) => t('notifications.sample-text'),
      mailTo: 'at_once',
      href: ACCOUNT_PAGES[actor.role].notifications,
      subject: 'sample',
      dedupeKey: `sample:${Math.floor(now.getTime() / MINUTE_MS)}`,
    }),
  );
}
