import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/client.ts';

/** What the shells show on every page. Kept for a minute: a page may cost at most three calls of its own. */
export const ownPartnerQuery = queryOptions({ queryKey: ['partner', 'me'], queryFn: ({ signal }) => api.getMyPartner({ signal }), staleTime: 60_000 });
export const ownClientQuery = queryOptions({ queryKey: ['client', 'summary'], queryFn: ({ signal }) => api.getMyClientSummary({ signal }), staleTime: 30_000 });
export const quotaQuery = queryOptions({ queryKey: ['quota'], queryFn: ({ signal }) => api.getQuota({ signal }), staleTime: 30_000 });
export const engineQuery = queryOptions({ queryKey: ['engine'], queryFn: ({ signal }) => api.getEngine({ signal }), staleTime: 30_000, refetchInterval: 60_000 });

export const switcherClientsQuery = queryOptions({
  queryKey: ['clients', 'switcher'],
  queryFn: ({ signal }) => api.listClients({ query: { limit: 100 }, signal }).then((page) => page.data),
  staleTime: 60_000,
});

/** Clients and agents, or partners, whose names match: for the palette. */
export const searchQuery = (face: 'agency' | 'staff', q: string) =>
  queryOptions({
    queryKey: ['palette', face, q],
    queryFn: async ({ signal }) => {
      if (face === 'staff') return { partners: (await api.listPartners({ query: { q, limit: 8 }, signal })).data, clients: [], agents: [] };
      const [clients, agents] = await Promise.all([api.listClients({ query: { q, limit: 6 }, signal }), api.listAgents({ query: { q, limit: 6 }, signal })]);
      return { partners: [], clients: clients.data, agents: agents.data };
    },
    staleTime: 30_000,
    enabled: q.length >= 2,
  });
