import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type Member = Reply<'listTeam'>['data'][number];

/** Members of the agency, and how many of its seats are taken. */
export const teamQuery = infiniteQueryOptions({
  queryKey: keys.team,
  queryFn: ({ pageParam, signal }) => api.listTeam({ query: pageParam ? { cursor: pageParam } : {}, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
});
