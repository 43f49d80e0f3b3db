import { defineHandlers } from '#platform/http/context.ts';
import { choosePreferences, readPreferences } from './choose-preferences.ts';
import type { NotificationsDeps } from './deps.ts';
import type { Notify } from './notify.ts';
import { exportOwn, readAll, readOne, readOwn, readUnreadCount } from './read-notifications.ts';
import { sendSample } from './send-sample.ts';
import { showUnsubscribe, unsubscribe } from './unsubscribe.ts';
import { streamNotifications } from './stream-notifications.ts';

export function notificationHandlers(deps: NotificationsDeps & { notify: Notify }) {
  return defineHandlers({
    listNotifications: ({ query }, { actor }) => readOwn(deps, actor, query),
    exportNotifications: ({ query }, { actor, now }) => exportOwn(deps, actor, query, now),
    countUnread: (_input, { actor }) => readUnreadCount(deps, actor),
    streamNotifications: (_input, { actor }) => streamNotifications(deps, actor),
    getNotificationPreferences: (_input, { actor }) => readPreferences(deps, actor),
    putNotificationPreferences: ({ body }, context) => choosePreferences(deps, context, body),
    showUnsubscribe: ({ query }) => showUnsubscribe(deps, query.token),
    unsubscribe: async ({ query }, context) => void (await unsubscribe(deps, context, query.token)),
    readNotification: async ({ params }, context) => void (await readOne(deps, context, params.id)),
    readAllNotifications: async (_input, context) => void (await readAll(deps, context)),
    sendSampleNotification: async (_input, context) => void (await sendSample(deps, context)),
  });
}
