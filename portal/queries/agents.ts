import { AGENT_HEALTH } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { pagedQuery } from '../app/paged-query.ts';
import { queryClient } from '../app/query-client.ts';
import { oneOf, type SearchOf, searchParser, textParam } from '../app/search-params.ts';
import { keys } from './keys.ts';
import { refreshAfter } from './refresh.ts';

export type Agent = Reply<'getAgent'>;
export type Workflow = Reply<'getWorkflow'>;
export type CopyPreview = Reply<'previewCopies'>;
export type CopyTarget = CopyPreview['targets'][number];
export type CopyResult = Reply<'copyAgent'>['results'][number];
export type AgentCounts = Reply<'getWorkflowCounts'>;
export type Schedule = Reply<'getSchedule'>;

export const AGENT_TABS = ['settings', 'runs', 'inbound', 'schedule', 'connect'] as const;
export type AgentTab = (typeof AGENT_TABS)[number];
/** Settings that may stop a text, to which its outcome leads. */
export const STOP_SETTINGS = ['quietHours', 'repeatAfterHours', 'fromNumber'] as const;

export const parseAgentSearch = searchParser({ health: oneOf(AGENT_HEALTH), template: textParam, q: textParam });
export type AgentFilters = SearchOf<typeof parseAgentSearch> & { client?: string | undefined };

/** Returns the labels of the agent's missing settings, in lower case for use in a sentence. */
export function missingSettingNames({ configSchema, missingSettings }: Agent): string[] {
  return configSchema.filter(({ key }) => missingSettings.includes(key)).map(({ label }) => label.toLowerCase());
}

export const agentsQuery = ({ client, health, template, q }: AgentFilters) => {
  const query = { clientId: client, health, templateName: template, q };
  return pagedQuery(keys.agents.page(query), ({ cursor, signal }) => api.listAgents({ query: { ...query, cursor }, signal }));
};

/** The first hundred agents whose name has `q`, for select fields. A field takes them from `shared/choices.ts`. */
export const agentNamesQuery = (client: string | undefined, q?: string) =>
  queryOptions({
    queryKey: keys.agents.names(client, q),
    queryFn: ({ signal }) => api.listAgents({ query: { clientId: client, q, limit: 100 }, signal }),
    staleTime: 60_000,
  });

export const agentQuery = (id: string) =>
  queryOptions({ queryKey: keys.agents.one(id), queryFn: ({ signal }) => api.getAgent({ params: { id }, signal }) });
export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: keys.agents.workflow(id),
    queryFn: ({ signal }) => api.getWorkflow({ params: { id }, signal }),
    staleTime: 60_000,
  });

export const scheduleQuery = (id: string) =>
  queryOptions({ queryKey: keys.agents.schedule(id), queryFn: ({ signal }) => api.getSchedule({ params: { id }, signal }) });

/** What each step did lately, and how many calls came in. */
export const agentCountsQuery = (id: string) =>
  queryOptions({
    queryKey: keys.agents.counts(id),
    queryFn: ({ signal }) => api.getWorkflowCounts({ params: { id }, signal }),
    staleTime: 30_000,
  });

export const inboundQuery = (id: string, outcome: 'accepted' | 'refused' | undefined) =>
  pagedQuery(keys.agents.inbound(id, outcome), ({ cursor, signal }) =>
    api.listInboundEvents({ params: { id }, query: { outcome, cursor }, signal }),
  );

/** Turns an agent on or off; what shows it is read again also when that was refused. */
export async function setAgentOn(id: string, isOn: boolean): Promise<void> {
  try {
    const record = await (isOn ? api.resumeAgent : api.pauseAgent)({ params: { id } });
    queryClient.setQueryData(agentQuery(id).queryKey, record);
  } finally {
    // Awaited: until the list is read again it holds the state before.
    await refreshAfter('agentSwitched');
  }
}
