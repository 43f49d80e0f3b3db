import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';
import { daysOfThisMonth } from './days.ts';

export type Summary = Reply<'getMyClientSummary'>;
export type Agent = Reply<'getAgent'>;
export type Run = Summary['latest'][number];
export type Business = Reply<'getMyClient'>;

export const homeQuery = queryOptions({
  queryKey: keys.client.summary,
  queryFn: ({ signal }) => api.getMyClientSummary({ signal }),
  staleTime: 10_000,
});
export const agentsQuery = queryOptions({
  queryKey: keys.client.agents,
  queryFn: ({ signal }) => api.listAgents({ query: { limit: 100 }, signal }).then((page) => page.data),
});
export const agentQuery = (id: string) =>
  queryOptions({ queryKey: keys.client.agent(id), queryFn: ({ signal }) => api.getAgent({ params: { id }, signal }) });
export const stepsQuery = (id: string) =>
  queryOptions({
    queryKey: keys.client.steps(id),
    queryFn: ({ signal }) => api.getWorkflow({ params: { id }, signal }),
    staleTime: 300_000,
  });
export const agentRunsQuery = (id: string) =>
  queryOptions({
    queryKey: keys.client.agentRuns(id),
    queryFn: ({ signal }) => api.listWorkflowExecutions({ params: { id }, query: { limit: 10 }, signal }).then((page) => page.data),
  });
/** The longest range of the API: every month is in it whole. */
export const agentDaysQuery = (id: string) =>
  queryOptions({
    queryKey: keys.client.agentDays(id),
    queryFn: ({ signal }) => api.getWorkflowStats({ params: { id }, query: { range: '90d' }, signal }).then(daysOfThisMonth),
  });
export const businessQuery = queryOptions({ queryKey: keys.client.business, queryFn: ({ signal }) => api.getMyClient({ signal }) });

export const PERIODS = ['today', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];
export type ActivitySearch = {
  agent?: string | undefined;
  result?: 'done' | 'failed' | undefined;
  since?: Period | undefined;
};

/** The filters as the server takes them. A day begins in the reader's own zone. */
export function activityFilters({ agent, result, since }: ActivitySearch) {
  const status = result === 'done' ? ('SUCCEEDED' as const) : result === 'failed' ? ('FAILED' as const) : undefined;
  return { workflowId: agent, status, from: since && startOf(since) };
}

export const activityQuery = (search: ActivitySearch) =>
  pagedQuery(
    keys.client.activity(search),
    ({ cursor, signal }) => api.listExecutions({ query: { ...activityFilters(search), cursor }, signal }),
    {
      // Back from a conversation that took long finds the rows that were loaded, and with them the place on the page.
      gcTime: 30 * 60_000,
    },
  );

const DAYS: Record<Period, number> = { today: 0, week: 6, month: 29 };

function startOf(period: Period): string {
  return startOfDay(DAYS[period]).toISOString();
}
