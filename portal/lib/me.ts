import { can, type Permission } from '@house/core/access.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import { joinWords } from './format.ts';
import { getSession, useUser } from './session.ts';

/** Who is signed in, what they may do, who may do the rest, and whether the provider sandbox is on. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.getMe({ signal }),
  staleTime: 60_000,
  enabled: () => getSession() !== undefined,
});

/**
 * Why the reader may not do this, or undefined when they may. Moderators see every control; the ones that change something are
 * disabled with this reason (specification, Team permission). The server refuses them all the same.
 */
export function useRefusal(permission: Permission): string | undefined {
  const user = useUser();
  const { data } = useQuery(meQuery);
  const decision = can({ role: user.role, partnerRole: user.partnerRole, readOnly: user.authMethod === 'view_as' }, permission);
  if (decision.allowed) return undefined;
  if (decision.code === 'view_as_read_only') return 'This view is read-only.';
  if (decision.code === 'role_forbidden') return 'Your role may not do this.';
  const admins = data?.admins ?? [];
  return admins.length > 0 ? `Ask an admin of your agency: ${joinWords(admins)}.` : 'Ask an admin of your agency.';
}
