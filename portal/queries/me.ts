import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { adoptUser, getSession } from '../app/session.ts';
import { keys } from './keys.ts';

/** The logged-in user, which the session then shows, their permissions, the admins of their agency, and whether the provider sandbox is on. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }) => {
    const me = await api.getMe({ signal });
    adoptUser(me.user);
    return me;
  },
  staleTime: 60_000,
  enabled: () => getSession() !== undefined,
});

/** Where the user is logged in. */
export const sessionsQuery = queryOptions({ queryKey: keys.sessions, queryFn: ({ signal }) => api.listSessions({ signal }) });
