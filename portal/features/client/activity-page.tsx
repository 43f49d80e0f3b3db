import { useMessages } from '../../app/messages.ts';
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

const RESULTS = ['done', 'failed'] as const;

/** Everything the client's agents did, newest first. */
export function ActivityPage({ search, onSearch }: Props) {
  const { t } = useMessages();
  const { partner } = useUser();
  useTitle(t('client.activity'), partner.name);
  useLiveClient();
  const agents = useQuery(agentsQuery);
  return (
    <>
      <PageHead
        title={t('client.activity')}
        lead={t('client.activityLead')}
        aside={
          <ExportButton word={t('client.csv')} name="activity" read={() => api.exportExecutions({ query: activityFilters(search) })} />
        }
      />
      <FilterBar
        chips={
          <>
            <FilterChip
              name={t('client.agent')}
              value={search.agent}
              options={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(agent) => onSearch({ agent })}
            />
            <FilterChip
              name={t('client.result')}
              value={search.result}
              options={RESULTS.map((value) => ({ value, label: t(`client.${value}`) }))}
              onChange={(result) => onSearch({ result: RESULTS.find((one) => one === result) })}
            />
            <FilterChip
              name={t('client.when')}
              value={search.since}
              options={PERIODS.map((value) => ({ value, label: t(`client.${value}`) }))}
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
  const { t } = useMessages();
  const list = useInfiniteQuery(activityQuery(search));
  return (
    <Loaded query={list} skeleton={<SkeletonRows rows={8} height={48} label={t('client.loadingActivity')} />}>
      {() => <ActivityList list={list} search={search} onSearch={onSearch} agency={agency} />}
    </Loaded>
  );
}

type ListProps = Props & { agency: string; list: UseInfiniteQueryResult<InfiniteData<Reply<'listExecutions'>>> };

function ActivityList({ list, search, onSearch, agency }: ListProps) {
  const { t } = useMessages();
  const runs = rowsOf(list);
  const isFiltered = Object.values(search).some(Boolean);
  if (runs.length === 0 && isFiltered)
    return (
      <NoMatch title={t('client.noMatch')} onClear={() => onSearch({ agent: undefined, result: undefined, since: undefined })}>
        {t('client.noMatchHint')}
      </NoMatch>
    );
  if (runs.length === 0) return <EmptyState title={t('client.noActivity')}>{t('client.noActivityHint')}</EmptyState>;
  return (
    <div className="max-w-[760px] border-t border-line">
      <Feed runs={runs} agency={agency} showAgent={!search.agent} />
      {list.hasNextPage ? (
        <Button size="lg" className="mt-5" busy={list.isFetchingNextPage && t('client.loading')} onClick={() => void list.fetchNextPage()}>
          {t('client.showOlder')}
        </Button>
      ) : (
        <p className="pt-5 text-sm text-ink-3">{t('client.end')}</p>
      )}
    </div>
  );
}
