import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { getSession } from '../app/session.ts';
import { keys } from './keys.ts';

/** Who is signed in, what they may do, who may do the rest, and whether the provider sandbox is on. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => api.getMe({ signal }),
  staleTime: 60_000,
  enabled: () => getSession() !== undefined,
});
