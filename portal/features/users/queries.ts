import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type User = Reply<'listUsers'>['data'][number];
export type UserFilters = { q?: string | undefined; role?: Role | undefined; status?: User['status'] | undefined };

export const usersQuery = ({ q, role, status }: UserFilters) =>
  pagedQuery(keys.users.list({ q, role, status }), ({ cursor, signal }) => api.listUsers({ query: { q, role, status, cursor }, signal }));
