import { can, type Permission } from '@partner-portal/core/access/access.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../queries/me.ts';
import { queryClient } from './query-client.ts';
import { joinWords } from '../ui/text/format.ts';
import { readPreference, usePreference } from '../ui/hooks/use-preference.ts';
import { READ_ONLY } from '../ui/controls/read-only.ts';
import { useUser } from './session.ts';

/**
 * Whether the provider sandbox is on. Until the service has said so, what it said last: the bar that tells of it stands above
 * everything, and must not push the page down under somebody's click.
 */
export function useIsSandbox(): boolean {
  const [last, setLast] = usePreference<'on' | 'off' | 'unknown'>('sandbox', 'unknown');
  const said = useQuery(meQuery).data?.sandbox;
  const now = said === undefined ? last : said ? 'on' : 'off';
  useEffect(() => {
    if (now !== last) setLast(now);
  }, [now, last, setLast]);
  return now === 'on';
}

/** Before the first page that this browser shows of a portal: what the service says, so that the bar is there from the beginning. */
export async function settleSandbox(): Promise<void> {
  const isKnown = readPreference('sandbox') !== undefined || queryClient.getQueryData(meQuery.queryKey) !== undefined;
  if (!isKnown) await queryClient.prefetchQuery(meQuery);
}

/** Whether the reader looks as somebody else: nothing that writes is drawn. */
export function useIsViewing(): boolean {
  return useUser().authMethod === 'view_as';
}

/**
 * Why the reader may not do this, or undefined when they may. Moderators see every control; the ones that change something are
 * disabled with this reason (specification, Team permission). In a view they are not drawn at all. The server refuses them all the same.
 */
export function useRefusal(permission: Permission): string | undefined {
  const user = useUser();
  const { data } = useQuery(meQuery);
  const decision = can({ role: user.role, partnerRole: user.partnerRole, readOnly: user.authMethod === 'view_as' }, permission);
  if (decision.allowed) return undefined;
  if (decision.code === 'view_as_read_only') return READ_ONLY;
  if (decision.code === 'role_forbidden') return 'Your role may not do this.';
  const admins = data?.admins ?? [];
  return admins.length > 0 ? `Ask an admin of your agency: ${joinWords(admins)}.` : 'Ask an admin of your agency.';
}
