import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';

export type Notification = Reply<'listNotifications'>['data'][number];
export type Preferences = Reply<'getNotificationPreferences'>;

/** The stream says how many are unread; asked for only while there is no stream. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: ({ signal }) => api.countUnread({ signal }).then(({ unread }) => unread),
  enabled: false,
});

export const bellQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'bell'],
  queryFn: ({ pageParam, signal }) => api.listNotifications({ query: { limit: 30, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
  initialPageParam: '',
  getNextPageParam: (last) => last.nextCursor ?? undefined,
});

export const preferencesQuery = queryOptions({
  queryKey: ['notifications', 'preferences'],
  queryFn: ({ signal }) => api.getNotificationPreferences({ signal }),
});

export function refreshBell(): void {
  void queryClient.invalidateQueries({ queryKey: bellQuery.queryKey });
}
