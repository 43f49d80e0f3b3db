import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { queryClient, refetchAfterUpdate } from '../../app/query-client.ts';
import { useLive } from '../../app/use-live.ts';
import type { LiveState } from '../../ui/feedback/live-dot.tsx';
import { useSpokenSummary } from '../../ui/hooks/use-spoken-summary.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { isOldestFirst, type Run, type RunFilters, runQuery, runsQuery } from './queries.ts';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type Pages = InfiniteData<{ data: Run[]; nextCursor: string | null }, string>;

/** Live updates for the execution list: rows change in place, new ones go on top, screen readers get one summary per ten seconds. */
export function useLiveRuns(filters: RunFilters): { live: LiveState; arrived: ReadonlySet<string>; spoken: string } {
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const { spoken, addFinished } = useSpokenSummary('run');
  const { queryKey } = runsQuery(filters);
  const listKey = JSON.stringify(queryKey);
  useEffect(() => setArrived((before) => (before.size === 0 ? before : new Set())), [listKey]);
  const refreshRest = useMemo(
    () =>
      throttle(() => {
        void refreshAfter('runReported');
      }, 5000),
    [],
  );
  // Whether the text of a new run matches is known to the service only.
  const searchAgain = useMemo(
    () =>
      throttle(() => {
        void refreshAfter('runListOutdated');
      }, 5000),
    [],
  );
  const query = new URLSearchParams({
    ...(filters.client ? { clientId: filters.client } : {}),
    ...(filters.agent ? { workflowId: filters.agent } : {}),
  }).toString();
  const live = useLive({
    path: `/executions/stream${query ? `?${query}` : ''}`,
    onEvent: ({ data }) => {
      const run = JSON.parse(data) as Run; // the contract's record, sent by our own service
      const shown = shownRun(queryClient.getQueryData<Pages>(queryKey), run.id);
      queryClient.setQueryData<Pages>(
        queryKey,
        (pages) => pages && applyRun(pages, run, filters, () => setArrived((before) => new Set([...before, run.id]))),
      );
      refetchAfterUpdate(queryKey);
      if (filters.q && shown === undefined && fitsFilters(run, withoutText(filters))) searchAgain();
      // A stream that resumes from the time of the list replays runs that had already ended; those are not counted again.
      if (run.status !== 'RUNNING' && (shown === undefined || shown.status === 'RUNNING')) addFinished(run.id, run.status === 'FAILED');
      refreshRest();
    },
    continues: keys.runs.all,
    onCatchUp: () => {
      void refreshAfter('runListOutdated');
      refreshRest();
    },
  });
  return { live, arrived, spoken };
}

/** Replaces an execution in the pages, or adds a new one that matches the filters where the order of the list has it. */
function applyRun(pages: Pages, run: Run, filters: RunFilters, onNew: () => void): Pages {
  const isKnown = shownRun(pages, run.id) !== undefined;
  // What a run was started with does not change: a row that was found by its text still has it.
  const fits = fitsFilters(run, isKnown ? withoutText(filters) : filters);
  if (isKnown) {
    return {
      ...pages,
      pages: pages.pages.map((page) => ({ ...page, data: page.data.flatMap((row) => (row.id !== run.id ? [row] : fits ? [run] : [])) })),
    };
  }
  if (!fits) return pages;
  if (isOldestFirst(filters)) {
    // A new run is below the last row, as far as the list is loaded.
    if (pages.pages.at(-1)?.nextCursor !== null) return pages;
    onNew();
    return withPage(pages, pages.pages.length - 1, (data) => [...data, run]);
  }
  const newest = pages.pages[0]?.data[0];
  if (newest && run.startedAt < newest.startedAt) return pages;
  onNew();
  return withPage(pages, 0, (data) => [run, ...data]);
}

function withPage(pages: Pages, at: number, change: (data: Run[]) => Run[]): Pages {
  return { ...pages, pages: pages.pages.map((page, index) => (index === at ? { ...page, data: change(page.data) } : page)) };
}

function withoutText({ q: _text, ...others }: RunFilters): RunFilters {
  return others;
}

function shownRun(pages: Pages | undefined, id: string): Run | undefined {
  return pages?.pages.flatMap((page) => page.data).find((row) => row.id === id);
}

function fitsFilters(run: Run, filters: RunFilters): boolean {
  const { clientId, workflowId, status, source, cause, q, from } = runQuery(filters);
  const fits: Record<keyof ReturnType<typeof runQuery>, boolean> = {
    clientId: !clientId || run.clientId === clientId,
    workflowId: !workflowId || run.workflowId === workflowId,
    status: !status || run.status === status,
    source: !source || run.source === source,
    cause: !cause || run.error?.code === cause,
    // The stream omits the input, so the list is searched again.
    q: !q,
    from: !from || run.startedAt >= from,
  };
  return Object.values(fits).every(Boolean);
}
