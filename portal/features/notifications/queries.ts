import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type Notification = Reply<'listNotifications'>['data'][number];
export type Preferences = Reply<'getNotificationPreferences'>;

/** Unread count. The stream updates it; polled only while there is no stream. */
export const unreadQuery = queryOptions({
  queryKey: keys.notifications.unread,
  queryFn: ({ signal }) => api.countUnread({ signal }).then(({ unread }) => unread),
  enabled: false,
});

export const bellQuery = pagedQuery(keys.notifications.bell, ({ cursor, signal }) =>
  api.listNotifications({ query: { limit: 30, cursor }, signal }),
);

export const preferencesQuery = queryOptions({
  queryKey: keys.notifications.preferences,
  queryFn: ({ signal }) => api.getNotificationPreferences({ signal }),
});
