import { queryOptions } from '@tanstack/react-query';
import { type InstanceStatus, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type PartnerFilters = {
  q?: string | undefined;
  status?: 'active' | 'suspended' | 'deleted' | undefined;
  automationStatus?: InstanceStatus | undefined;
};

export type PartnerClient = Reply<'listClients'>['data'][number];

export const partnersQuery = (filters: PartnerFilters) =>
  pagedQuery(keys.partners.list(filters), ({ cursor, signal }) => api.listPartners({ query: { ...filters, cursor }, signal }));

export type PartnerOnboarding = Reply<'listPartnerOnboarding'>[number];

/** How far these partners are with their first steps, in one request. */
export const partnersOnboardingQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: keys.partners.onboarding(ids),
    // As many as the service answers for at once.
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / LIMITS.pageMax) }, (_, at) =>
        ids.slice(at * LIMITS.pageMax, (at + 1) * LIMITS.pageMax),
      );
      const answers = await Promise.all(parts.map((part) => api.listPartnerOnboarding({ query: { ids: part.join(',') }, signal })));
      return answers.flat();
    },
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  });

/** Usage of an agency by day, in its time zone. */
export const partnerDaysQuery = (partnerId: string, from: string) =>
  queryOptions({
    queryKey: keys.billing.usage('day', from, partnerId),
    queryFn: ({ signal }) => api.getUsage({ query: { groupBy: 'day', partnerId, from }, signal }),
    staleTime: 60_000,
  });

export const partnerClientsQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.partners.clients(partnerId),
    queryFn: ({ signal }) => api.listClients({ query: { partnerId, limit: 5 }, signal }),
  });

export const partnerUsersQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.partners.users(partnerId),
    queryFn: ({ signal }) => api.listUsers({ query: { partnerId, limit: 100 }, signal }),
  });

export const partnerClientPagesQuery = (partnerId: string, q: string | undefined) =>
  pagedQuery(keys.partners.clientPages(partnerId, q), ({ cursor, signal }) => api.listClients({ query: { partnerId, q, cursor }, signal }));

export const partnerClientQuery = (clientId: string) =>
  queryOptions({
    queryKey: keys.partners.client(clientId),
    queryFn: ({ signal }) => api.getClient({ params: { id: clientId }, signal }),
  });

export const clientAgentsQuery = (partnerId: string, clientId: string) =>
  queryOptions({
    queryKey: keys.partners.clientAgents(clientId),
    queryFn: ({ signal }) => api.listAgents({ query: { partnerId, clientId, limit: 100 }, signal }).then((page) => page.data),
  });

export const clientPeopleQuery = (clientId: string) =>
  queryOptions({
    queryKey: keys.partners.clientPeople(clientId),
    queryFn: ({ signal }) => api.listClientUsers({ params: { id: clientId }, query: { limit: 100 }, signal }).then((page) => page.data),
  });
