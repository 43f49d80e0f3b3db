import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Feed } from './feed.tsx';
import { PageHead } from './page-head.tsx';
import { activityFilters, activityQuery, type ActivitySearch, agentsQuery, PERIODS } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';

type Props = { search: ActivitySearch; onSearch: (change: ActivitySearch) => void };

const RESULTS = [
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
] as const;
const PERIOD_CHOICES = Object.entries(PERIODS).map(([value, label]) => ({ value, label }));

/** Everything the client's agents did, newest first. */
export function ActivityPage({ search, onSearch }: Props) {
  const { partner } = useUser();
  useTitle('Activity', partner.name);
  useLiveClient();
  const agents = useQuery(agentsQuery);
  return (
    <>
      <PageHead
        title="Activity"
        lead="Everything your agents did, newest first."
        aside={
          <ExportButton word="Download as CSV" name="activity" read={() => api.exportExecutions({ query: activityFilters(search) })} />
        }
      />
      <FilterBar
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
  return (
    <Loaded query={list} skeleton={<SkeletonRows rows={8} height={48} label="Loading the activity" />}>
      {() => <ActivityList list={list} search={search} onSearch={onSearch} agency={agency} />}
    </Loaded>
  );
}

type ListProps = Props & { agency: string; list: UseInfiniteQueryResult<InfiniteData<Reply<'listExecutions'>>> };

function ActivityList({ list, search, onSearch, agency }: ListProps) {
  const runs = rowsOf(list);
  const isFiltered = Object.values(search).some(Boolean);
  if (runs.length === 0 && isFiltered)
    return (
      <NoMatch what="task" onClear={() => onSearch({ agent: undefined, result: undefined, since: undefined })}>
        No activity matches these filters.
      </NoMatch>
    );
  if (runs.length === 0) return <EmptyState title="No activity yet">Everything your agents do appears here as it happens.</EmptyState>;
  return (
    <div className="max-w-[760px] border-t border-line">
      <Feed runs={runs} agency={agency} showAgent={!search.agent} />
      {list.hasNextPage ? (
        <Button size="lg" className="mt-5" busy={list.isFetchingNextPage && 'Loading'} onClick={() => void list.fetchNextPage()}>
          Show older
        </Button>
      ) : (
        <p className="pt-5 text-sm text-ink-3">You have reached the end.</p>
      )}
    </div>
  );
}
