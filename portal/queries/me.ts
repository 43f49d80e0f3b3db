import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { getSession } from '../app/session.ts';
import { keys } from './keys.ts';

/** The logged-in user, their permissions, the admins of their agency, and whether the provider sandbox is on. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => api.getMe({ signal }),
  staleTime: 60_000,
  enabled: () => getSession() !== undefined,
});
