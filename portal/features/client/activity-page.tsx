import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useCallback } from 'react';
import { api, downloadCsv } from '../../lib/client.ts';
import { useUser } from '../../lib/session.ts';
import { useTitle } from '../../lib/title.ts';
import { Button } from '../../ui/button.tsx';
import { FilterChip } from '../../ui/chips.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { announceError } from '../../ui/toast.tsx';
import { Feed } from './feed.tsx';
import { PageHead } from './page-head.tsx';
import { activityFilters, activityQuery, type ActivitySearch, agentsQuery, PERIODS } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';

type Props = { search: ActivitySearch; onSearch: (change: ActivitySearch) => void };

const RESULTS = [
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Did not work' },
] as const;
const PERIOD_CHOICES = Object.entries(PERIODS).map(([value, label]) => ({ value, label }));

/** Everything the agents did, newest first, as sentences. */
export function ActivityPage({ search, onSearch }: Props) {
  const { partner } = useUser();
  useTitle('Activity', partner.name);
  useLiveClient();
  const agents = useQuery(agentsQuery);
  const onText = useCallback((q: string | undefined) => onSearch({ q }), [onSearch]);
  const save = useMutation({
    mutationFn: () => downloadCsv(api.exportExecutions({ query: activityFilters(search) }), 'activity.csv'),
    onError: (error) => announceError(error),
  });
  return (
    <>
      <PageHead
        title="Activity"
        lead="Everything your agents did, newest first."
        aside={
          <Button icon={<Download aria-hidden />} busy={save.isPending && 'Preparing'} onClick={() => save.mutate()}>
            Download as CSV
          </Button>
        }
      />
      <FilterBar
        text={search.q}
        onText={onText}
        placeholder="Search by text"
        chips={
          <>
            <FilterChip
              name="Agent"
              value={search.agent}
              options={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(agent) => onSearch({ agent })}
            />
            <FilterChip
              name="Result"
              value={search.result}
              options={RESULTS}
              onChange={(result) => onSearch({ result: RESULTS.find((one) => one.value === result)?.value })}
            />
            <FilterChip
              name="When"
              value={search.since}
              options={PERIOD_CHOICES}
              onChange={(since) => onSearch({ since: since as ActivitySearch['since'] })}
            />
          </>
        }
      />
      <Activity search={search} onSearch={onSearch} agency={partner.name} />
    </>
  );
}

function Activity({ search, onSearch, agency }: Props & { agency: string }) {
  const list = useInfiniteQuery(activityQuery(search));
  if (list.error) return <ErrorBlock error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonRows rows={8} height={48} label="Loading the activity" />;
  const runs = list.data.pages.flatMap((page) => page.data);
  const isFiltered = Object.values(search).some(Boolean);
  if (runs.length === 0 && isFiltered)
    return (
      <EmptyState
        title="Nothing matches"
        actions={
          <button
            type="button"
            className="lnk"
            onClick={() => onSearch({ agent: undefined, result: undefined, since: undefined, q: undefined })}
          >
            Clear the filters
          </button>
        }
      >
        Your agents did nothing that fits.
      </EmptyState>
    );
  if (runs.length === 0) return <EmptyState title="Nothing yet">What your agents do appears here the moment they do it.</EmptyState>;
  return (
    <div className="max-w-[760px] border-t border-line">
      <Feed runs={runs} agency={agency} showAgent={!search.agent} />
      {list.hasNextPage ? (
        <Button size="lg" className="mt-5" busy={list.isFetchingNextPage && 'Loading'} onClick={() => void list.fetchNextPage()}>
          Show earlier
        </Button>
      ) : (
        <p className="pt-5 text-sm text-ink-3">That is everything.</p>
      )}
    </div>
  );
}
