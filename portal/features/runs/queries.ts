import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { EXECUTION_SOURCES, EXECUTION_STATUSES, type ExecutionSource, type ExecutionStatus } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../../app/api.ts';
import { choiceParam, idParam, onlySet, textParam } from '../../app/search-params.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';

export type Run = Reply<'listExecutions'>['data'][number];
export type RunDetail = Reply<'getExecution'>;
export type BulkRerun = Reply<'listReruns'>[number];
export type FailureCause = Reply<'listFailureCauses'>[number];

export const STARTED = ['today', '7d', '30d', 'all'] as const;
export type Started = (typeof STARTED)[number];

/** The filters of the runs page, as its address carries them. */
export type RunSearch = {
  started?: Started;
  status?: ExecutionStatus;
  agent?: string;
  source?: ExecutionSource;
  cause?: string;
  q?: string;
};
export type RunFilters = RunSearch & { client?: string | undefined };

export function parseRunSearch(search: Record<string, unknown>): RunSearch {
  return onlySet({
    started: choiceParam(STARTED, search.started),
    status: choiceParam(EXECUTION_STATUSES, search.status),
    agent: idParam(search.agent),
    source: choiceParam(EXECUTION_SOURCES, search.source),
    cause: textParam(search.cause),
    q: textParam(search.q),
  });
}

/** Filters as the API asks for them. Days begin at midnight in the reader's time zone. */
export function runQuery({ started = 'today', status, agent, source, cause, q, client }: RunFilters) {
  return { clientId: client, workflowId: agent, status, source, cause, q, from: startOf(started) };
}

const DAYS_BACK: Record<Started, number | undefined> = { today: 0, '7d': 6, '30d': 29, all: undefined };

/** The beginning of the chosen time, or undefined for all of it. */
export function startOf(started: Started): string | undefined {
  const days = DAYS_BACK[started];
  return days === undefined ? undefined : startOfDay(days).toISOString();
}

export const runsQuery = (filters: RunFilters) =>
  infiniteQueryOptions({
    queryKey: keys.runs.page(runQuery(filters)),
    queryFn: ({ pageParam, signal }) => api.listExecutions({ query: { ...runQuery(filters), cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const causesQuery = ({ client, agent, started = 'today' }: Pick<RunFilters, 'client' | 'agent' | 'started'>) => {
  const query = { clientId: client, workflowId: agent, from: startOf(started) ?? startOf('30d') };
  return queryOptions({
    queryKey: keys.runs.causesOf(query),
    queryFn: ({ signal }) => api.listFailureCauses({ query, signal }),
    placeholderData: (before) => before,
  });
};

export const runDetailQuery = (id: string) =>
  queryOptions({ queryKey: keys.runs.one(id), queryFn: ({ signal }) => api.getExecution({ params: { id }, signal }) });

/** Reruns of many of the last day; polled while runs of one wait. */
export const rerunsQuery = queryOptions({
  queryKey: keys.runs.reruns,
  queryFn: ({ signal }) => api.listReruns({ signal }),
  refetchInterval: (query) => (query.state.data?.some((one) => one.finishedAt === null) ? 3000 : false),
});

/** Runs of one agent or one client, for their own pages. */
export const runsOfQuery = (scope: {
  workflowId?: string | undefined;
  clientId?: string | undefined;
  status?: ExecutionStatus | undefined;
}) =>
  infiniteQueryOptions({
    queryKey: keys.runs.of(scope),
    queryFn: ({ pageParam, signal }) => api.listExecutions({ query: { ...scope, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
