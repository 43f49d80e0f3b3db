import { uiText } from '../ui/text/reader.ts';
import { can, type Permission } from '@partner-portal/core/access/access.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { routes } from 'virtual:route-table';
import { meQuery } from '../queries/me.ts';
import { queryClient } from './query-client.ts';
import { joinWords } from '../ui/text/format.ts';
import { readPreference, usePreference } from '../ui/hooks/use-preference.ts';
import { READ_ONLY } from '../ui/controls/read-only.ts';
import { useUser } from './session.ts';

/** Whether the provider sandbox is on. Starts with the last known value, so that its bar does not shift the page. */
export function useIsSandbox(): boolean {
  const [last, setLast] = usePreference<'on' | 'off' | 'unknown'>('sandbox', 'unknown');
  const reported = useQuery(meQuery).data?.sandbox;
  const now = reported === undefined ? last : reported ? 'on' : 'off';
  useEffect(() => {
    if (now !== last) setLast(now);
  }, [now, last, setLast]);
  return now === 'on';
}

/** Resolves when the sandbox state is known, so that its bar is there from the start; it is read with the frame, which has `begun`. */
export async function settleSandbox(begun: Promise<void>): Promise<void> {
  const isKnown = readPreference('sandbox') !== undefined || queryClient.getQueryData(meQuery.queryKey) !== undefined;
  if (isKnown) return;
  await begun;
  await queryClient.prefetchQuery(meQuery);
}

/** Whether this is a view-as session, in which controls that write are not rendered. */
export function useIsViewing(): boolean {
  return useUser().authMethod === 'view_as';
}

/**
 * Returns why the user may not do this, or undefined. Moderators see controls disabled with this reason; a view-as session does not
 * render them. The server enforces permissions regardless.
 */
export function useRefusal(permission: Permission): string | undefined {
  const user = useUser();
  const { data } = useQuery(meQuery);
  // The few things a suspended account may do are decided where they are offered.
  if (user.suspension && permission !== 'account.manage') return uiText('ui.suspended');
  const decision = can(routes, { role: user.role, partnerRole: user.partnerRole, readOnly: user.authMethod === 'view_as' }, permission);
  if (decision.allowed) return undefined;
  if (decision.code === 'view_as_read_only') return READ_ONLY;
  if (decision.code === 'role_forbidden') return uiText('ui.roleForbidden');
  const admins = data?.admins ?? [];
  return admins.length > 0 ? `Ask an admin of your agency: ${joinWords(admins)}.` : 'Ask an admin of your agency.';
}
