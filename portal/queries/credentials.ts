import { PROVIDERS, type Provider } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { queryClient } from '../app/query-client.ts';
import { choiceParam, idParam, onlySet } from '../app/search-params.ts';

export type Credential = Reply<'listCredentials'>[number];
export type Requirement = Reply<'listRequirements'>[number];

/** The services whose keys are stored, in the order of the cards; `code` stores none. */
export const STORED = ['twilio', 'openai', 'anthropic', 'calcom', 'resend', 'postgres'] as const;
export type Stored = (typeof STORED)[number];

/** `service` opens its panel; `for` names the client whose own key it is about. */
export type IntegrationSearch = { service?: Provider | undefined; for?: string | undefined };

export function parseIntegrationSearch(search: Record<string, unknown>): IntegrationSearch {
  return onlySet({ service: choiceParam(PROVIDERS, search.service), for: idParam(search.for) });
}

const LOOK_MS = 5_000;

/** The stored keys, looked at again while one of them still has to reach its flows. */
export const credentialsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: ['credentials', 'list', clientId ?? 'all'],
    queryFn: ({ signal }) => api.listCredentials({ query: { clientId }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.some((row) => row.live === 'pending') ? LOOK_MS : false),
  });

export const requirementsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: ['credentials', 'requirements', clientId ?? 'all'],
    queryFn: ({ signal }) => api.listRequirements({ query: { clientId }, signal }),
  });

export const readinessQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['credentials', 'readiness', clientId],
    queryFn: ({ signal }) => api.getClientReadiness({ params: { id: clientId }, signal }),
  });

/** A key that came, went or failed changes what is ready everywhere. */
export function refreshCredentials(): void {
  for (const key of ['credentials', 'catalog', 'summary', 'agents']) void queryClient.invalidateQueries({ queryKey: [key] });
}
