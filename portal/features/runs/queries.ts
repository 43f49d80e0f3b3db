import { queryOptions } from '@tanstack/react-query';
import { EXECUTION_SOURCES, EXECUTION_STATUSES, type ExecutionStatus } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { idParam, oneOf, type SearchOf, searchParser, textParam } from '../../app/search-params.ts';
import { getSession } from '../../app/session.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';

export type Run = Reply<'listExecutions'>['data'][number];
export type BulkRerun = Reply<'listReruns'>[number];
export type FailureCause = Reply<'listFailureCauses'>[number];

/** `agency` is today where the agency is, by which its overview counts. */
export const STARTED = ['today', 'agency', '7d', '30d', 'all'] as const;
export type Started = (typeof STARTED)[number];

/** The filters of the runs page, as its address carries them. */
export const parseRunSearch = searchParser({
  started: oneOf(STARTED),
  status: oneOf(EXECUTION_STATUSES),
  agent: idParam,
  source: oneOf(EXECUTION_SOURCES),
  cause: textParam,
  q: textParam,
  /** Newest first without it. */
  sort: oneOf(['oldest']),
});
export type RunFilters = SearchOf<typeof parseRunSearch> & { client?: string | undefined };

/** Filters as the API asks for them. Days begin at midnight in the reader's time zone, except that of `agency`. */
export function runQuery({ started = 'today', status, agent, source, cause, q, client }: RunFilters) {
  return { clientId: client, workflowId: agent, status, source, cause, q, from: startOf(started) };
}

const DAYS_BACK: Record<Started, number | undefined> = { today: 0, agency: 0, '7d': 6, '30d': 29, all: undefined };

/** The beginning of the chosen time, or undefined for all of it. */
export function startOf(started: Started): string | undefined {
  const days = DAYS_BACK[started];
  const timeZone = started === 'agency' ? getSession()?.user.partner.timezone : undefined;
  return days === undefined ? undefined : startOfDay(days, new Date(), timeZone).toISOString();
}

/** Whether the list can have another order than newest first: the service searches for a text among the newest. */
export const canSortRuns = ({ q }: RunFilters): boolean => q === undefined;

export const isOldestFirst = (filters: RunFilters): boolean => filters.sort === 'oldest' && canSortRuns(filters);

export const runsQuery = (filters: RunFilters) => {
  const query = { ...runQuery(filters), sort: isOldestFirst(filters) ? ('oldest' as const) : undefined };
  return pagedQuery(keys.runs.page(query), ({ cursor, signal }) => api.listExecutions({ query: { ...query, cursor }, signal }), {
    // The rows stay, and with them the heading that was pressed, until those in the other order are there.
    placeholderData: (before, previous) => (isSortedOtherwise(previous?.queryKey, query) ? before : undefined),
  });
};

function isSortedOtherwise(key: readonly unknown[] | undefined, { sort, ...filters }: { sort: 'oldest' | undefined }): boolean {
  const { sort: shown, ...others } = (key?.at(-1) ?? {}) as { sort?: 'oldest' }; // the key of another `runsQuery`
  return key !== undefined && shown !== sort && JSON.stringify(others) === JSON.stringify(filters);
}

export const causesQuery = ({ client, agent, started = 'today' }: Pick<RunFilters, 'client' | 'agent' | 'started'>) => {
  const query = { clientId: client, workflowId: agent, from: startOf(started) ?? startOf('30d') };
  return queryOptions({
    queryKey: keys.runs.causesOf(query),
    queryFn: ({ signal }) => api.listFailureCauses({ query, signal }),
    placeholderData: (before) => before,
  });
};

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
}) => pagedQuery(keys.runs.of(scope), ({ cursor, signal }) => api.listExecutions({ query: { ...scope, cursor }, signal }));

/** Runs of an agent by day, for a month. */
export const agentDaysQuery = (id: string) =>
  queryOptions({
    queryKey: keys.agents.stats(id),
    queryFn: ({ signal }) => api.getWorkflowStats({ params: { id }, query: { range: '30d' }, signal }),
  });
