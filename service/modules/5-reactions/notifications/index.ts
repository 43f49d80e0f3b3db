import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { NotificationsDeps } from './deps.ts';
import { endWait, waitEndedJob } from './end-waits.ts';
import { auditedJob, notifyFromAudit } from './notify-from-audit.ts';
import { createNotify } from './notify.ts';
import { eventReaction } from './react-to-events.ts';
import { notificationHandlers } from './routes.ts';
import { deleteOldNotifications, sendDigests } from './send-digests.ts';

export { notifyFromAlerts } from './notify-from-alerts.ts';
export { notifyFromHandOvers, notifyFromReminders } from './notify-from-hand-overs.ts';
export { notifyFromReactivations } from './account-requests.ts';
export { queueEndOfWaits } from './end-waits.ts';
export { queueAuditNotifications } from './notify-from-audit.ts';
export { createNotify, type Notify } from './notify.ts';
export type { NotificationsDeps } from './deps.ts';

/** Notifications per user: in the bell, by mail at once, or in a daily digest; each fact once. */
export function notifications(deps: NotificationsDeps) {
  const notify = createNotify(deps);
  const own = { ...deps, notify };
  return {
    routes: notificationHandlers(own),
    notify,
    reaction: eventReaction(notify),
    jobs: [
      handleJob(auditedJob, ({ entryId, isSecondLook }) => notifyFromAudit(own, entryId, isSecondLook)),
      handleJob(waitEndedJob, (wait) => endWait(deps, wait)),
    ],
    crons: [
      defineCron('notifications.digest', '*/15 * * * *', async () => void (await sendDigests(deps))),
      defineCron('notifications.forget', '53 3 * * *', () => deleteOldNotifications(deps)),
    ],
    sendDigests: () => sendDigests(deps),
    notifyFromAudit: (entryId: string) => notifyFromAudit(own, entryId),
  };
}

export type Notifications = ReturnType<typeof notifications>;
