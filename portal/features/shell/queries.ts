import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

/** The client's own summary, shown on every page of the client shell. */
export const ownClientQuery = queryOptions({
  queryKey: keys.client.summary,
  queryFn: ({ signal }) => api.getMyClientSummary({ signal }),
  staleTime: 30_000,
});

/** Addresses and colours with which a browser installs the portal of the agency. */
export const installQuery = queryOptions({
  queryKey: keys.client.install,
  queryFn: ({ signal }) => api.getMyInstall({ signal }),
  staleTime: Infinity,
});

/** Partners and users whose names match, for the staff palette. */
export const searchQuery = (audience: 'agency' | 'staff', q: string) =>
  queryOptions({
    queryKey: keys.palette(audience, q),
    queryFn: async ({ signal }) => {
      const [partners, users] = await Promise.all([
        api.listPartners({ query: { q, limit: 8 }, signal }),
        api.listUsers({ query: { q, limit: 6 }, signal }),
      ]);
      return { partners: partners.data, users: users.data };
    },
    staleTime: 30_000,
    enabled: audience === 'staff' && q.length >= 2,
  });

/** Clients and agents whose names match, for the agency palette. */
export const agencySearchQuery = (audience: 'agency' | 'staff', q: string) =>
  queryOptions({
    queryKey: keys.palette('clients-and-agents', q),
    queryFn: async ({ signal }) => {
      const [clients, agents] = await Promise.all([
        api.listClients({ query: { q, limit: 6 }, signal }),
        api.listAgents({ query: { q, limit: 6 }, signal }),
      ]);
      return { clients: clients.data, agents: agents.data };
    },
    staleTime: 30_000,
    enabled: audience === 'agency' && q.length >= 2,
  });
