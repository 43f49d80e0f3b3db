import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { keys } from '../../queries/keys.ts';

export type Ready = Reply<'getRequestReadiness'>[number];

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: keys.agentRequests.one(id),
    queryFn: ({ signal }) => api.getAgentRequest({ params: { id }, signal }),
  });

/** The request whose panel is open; one that the board does not show is read by itself. */
export function useOpenedRequest(requests: readonly AgentRequest[], id: string | undefined): AgentRequest | undefined {
  const listed = requests.find((request) => request.id === id);
  const older = useQuery({ ...requestQuery(id ?? ''), enabled: id !== undefined && listed === undefined });
  return listed ?? (id === undefined ? undefined : older.data);
}

/** What the agent that is asked for needs to be installed now. */
export const preflightQuery = ({ partnerId, clientId, templateName }: AgentRequest) => {
  const templateNames = templateName === null ? [] : [templateName];
  return queryOptions({
    queryKey: keys.automation.preflight(partnerId, clientId, templateNames),
    queryFn: ({ signal }) => api.preflight({ body: { partnerId, clientId, templateNames }, signal }),
  });
};

export const quotaOfQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.quotaOf(partnerId),
    queryFn: ({ signal }) => api.getQuota({ query: { partnerId }, signal }),
  });

/** Index of the agent in the key of `requestReadinessQuery`. */
const AGENT_AT = keys.catalog.readiness('', []).length - 1;

export const requestReadinessQuery = (templateName: string, clientIds: readonly string[]) =>
  queryOptions({
    queryKey: keys.catalog.readiness(templateName, clientIds),
    queryFn: ({ signal }) => api.getRequestReadiness({ query: { templateName, clientIds: clientIds.join(',') }, signal }),
    // Only for the same agent: another agent has other needs.
    placeholderData: (before, query) => (query?.queryKey[AGENT_AT] === templateName ? before : undefined),
  });

/** Agents that can fulfil a request: those of its client, then those of the whole agency. */
export const fittingAgentsQuery = ({ partnerId, clientId }: Pick<AgentRequest, 'partnerId' | 'clientId'>) =>
  queryOptions({
    queryKey: keys.agents.fitting(partnerId, clientId),
    // Asked for by client: its agents are not among the newest of a large agency.
    queryFn: async ({ signal }) => {
      const [own, all] = await Promise.all([
        api.listAgents({ query: { partnerId, clientId, limit: 100 }, signal }),
        api.listAgents({ query: { partnerId, limit: 100 }, signal }),
      ]);
      return [...own.data, ...all.data.filter((agent) => agent.clientId === null)];
    },
  });
