import { PROVIDERS } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { idParam, oneOf, type SearchOf, searchParser } from '../app/search-params.ts';
import { keys } from './keys.ts';

export type Credential = Reply<'listCredentials'>[number];
/** `ok` is null when the service gave no answer about the key. */
export type Tested = Pick<Reply<'testCredential'>, 'ok' | 'message'>;
export type Requirement = Reply<'listRequirements'>[number];
export type RequirementCounts = Reply<'countRequirements'>;

/** Providers with a stored credential, in the order of the cards; `code` has none. */
export const STORED = ['twilio', 'openai', 'anthropic', 'calcom', 'resend', 'postgres'] as const;
export type Stored = (typeof STORED)[number];

/** `service` opens its panel; `for` is the client whose own key it shows. `key` names one stored key, for links that know no more. */
export const parseIntegrationSearch = searchParser({ service: oneOf(PROVIDERS), for: idParam, key: idParam });
export type IntegrationSearch = SearchOf<typeof parseIntegrationSearch>;

const POLL_MS = 5_000;

/** Stored credentials, polled while one of them is not yet live in its flows. */
export const credentialsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.credentials.list(clientId),
    queryFn: ({ signal }) => api.listCredentials({ query: { clientId }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.some((row) => row.live === 'pending') ? POLL_MS : false),
  });

/** What at most 250 agents need, those that lack a key first; `requirementCountsQuery` counts all. */
export const requirementsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.credentials.requirements(clientId),
    queryFn: ({ signal }) => api.listRequirements({ query: { clientId }, signal }),
  });

export const requirementCountsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.credentials.counts(clientId),
    queryFn: ({ signal }) => api.countRequirements({ query: { clientId }, signal }),
  });

export const readinessQuery = (clientId: string) =>
  queryOptions({
    queryKey: keys.credentials.readiness(clientId),
    queryFn: ({ signal }) => api.getClientReadiness({ params: { id: clientId }, signal }),
  });
