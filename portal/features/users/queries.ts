import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type User = Reply<'listUsers'>['data'][number];
export type UserFilters = { q?: string | undefined; role?: Role | undefined; status?: User['status'] | undefined };

export const usersQuery = ({ q, role, status }: UserFilters) =>
  infiniteQueryOptions({
    queryKey: keys.users.list({ q, role, status }),
    queryFn: ({ pageParam, signal }) => api.listUsers({ query: { q, role, status, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
