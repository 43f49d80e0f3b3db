import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../app/query-client.ts';
import { getSession } from '../../app/session.ts';
import { useLive } from '../../app/use-live.ts';
import { bellQuery, unreadQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { throttle } from '../../ui/hooks/throttle.ts';

/** Live unread count. */
export function useUnread(): number {
  useLive({
    path: '/notifications/stream',
    onEvent: ({ event, data }) => {
      if (event === 'setup.changed') return refreshSetup(data);
      if (event === 'notification.count') queryClient.setQueryData(unreadQuery.queryKey, readCount(data));
      if (queryClient.getQueryData(bellQuery.queryKey)) void refreshAfter('notificationsChanged');
    },
    onCatchUp: () => {
      void queryClient.fetchQuery({ ...unreadQuery, staleTime: 0 }).catch(() => undefined);
      if (getSession()?.user.role === 'ADMIN') void refreshAfter('automationsOutdated');
      else refreshOwnSetup();
    },
    // Setups that changed after the page was read are among what the stream begins with.
    continues: 'document',
    beginsWhole: true,
    pollMs: 60_000,
  });
  return useQuery(unreadQuery).data ?? 0;
}

const refreshOwnSetup = throttle(() => void refreshAfter('setupChanged'), 500);
/** A roll-out and the daily comparison report many agencies in a row. */
const refreshQueue = throttle(() => void refreshAfter('anySetupChanged'), 5_000);

/** Agents were installed, removed or compared: pages that are open read again. */
function refreshSetup(data: string): void {
  const { partnerId } = JSON.parse(data) as { partnerId: unknown }; // checked next
  if (getSession()?.user.role !== 'ADMIN') return refreshOwnSetup();
  refreshQueue();
  if (typeof partnerId === 'string') void refreshAfter('automationChanged', partnerId);
}

function readCount(data: string): number {
  const { unread } = JSON.parse(data) as { unread: unknown }; // checked next
  return typeof unread === 'number' ? unread : 0;
}
