import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { InstanceStatus } from '@house/contract/vocabulary.ts';
import { api } from '../../lib/client.ts';

export type PartnerFilters = { q?: string | undefined; status?: 'active' | 'suspended' | 'deleted' | undefined; automationStatus?: InstanceStatus | undefined };

export const partnersQuery = (filters: PartnerFilters) =>
  infiniteQueryOptions({
    queryKey: ['partners', 'list', filters],
    queryFn: ({ pageParam, signal }) => api.listPartners({ query: { ...filters, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const plansQuery = queryOptions({ queryKey: ['plans'], queryFn: ({ signal }) => api.listPlans({ signal }), staleTime: 300_000 });

export const partnerQuery = (partnerId: string) =>
  queryOptions({ queryKey: ['partners', 'one', partnerId], queryFn: ({ signal }) => api.getPartner({ params: { id: partnerId }, signal }) });

export const partnerClientsQuery = (partnerId: string) =>
  queryOptions({ queryKey: ['partners', 'clients', partnerId], queryFn: ({ signal }) => api.listClients({ query: { partnerId, limit: 100 }, signal }) });

export const partnerUsersQuery = (partnerId: string) =>
  queryOptions({ queryKey: ['partners', 'users', partnerId], queryFn: ({ signal }) => api.listUsers({ query: { partnerId, limit: 100 }, signal }) });
