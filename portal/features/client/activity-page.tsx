import { useMessages } from '../../app/messages.ts';
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useLoadOnScroll } from '../../ui/hooks/use-load-on-scroll.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { ActivityFilters, NO_FILTERS } from './activity-filters.tsx';
import { Feed } from './feed.tsx';
import { PageHead } from './page-head.tsx';
import { activityFilters, activityQuery, type ActivitySearch, agentsQuery } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';
import { loadMore } from '../../shared/load-more.ts';

type Props = { search: ActivitySearch; onSearch: (change: ActivitySearch) => void };

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
      <ActivityFilters search={search} agents={agents.data ?? []} onSearch={onSearch} />
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
  const { feed, more, spoken } = useMoreRows(list, runs.length);
  if (runs.length === 0 && isFiltered)
    return (
      <NoMatch title={t('client.noMatch')} onClear={() => onSearch(NO_FILTERS)}>
        {t('client.noMatchHint')}
      </NoMatch>
    );
  if (runs.length === 0) return <EmptyState title={t('client.noActivity')}>{t('client.noActivityHint')}</EmptyState>;
  return (
    <div className="max-w-190 border-t border-line">
      <div ref={feed}>
        <Feed runs={runs} agency={agency} showAgent={!search.agent} />
      </div>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {list.isFetchNextPageError ? (
        <div className="mt-5">
          <Note tone="bad" alert>
            {t('client.moreFailed')}
          </Note>
        </div>
      ) : null}
      {list.hasNextPage ? (
        <div ref={more.end}>
          <Button size="lg" className="mt-5 max-md:w-full" busy={list.isFetchingNextPage && t('ui.loading')} onClick={more.press}>
            {t('client.showOlder')}
          </Button>
        </div>
      ) : (
        <p className="pt-5 text-sm text-ink-3">{t('client.end')}</p>
      )}
    </div>
  );
}

/**
 * Older rows, by scrolling or by the button. How many came is spoken. The button leaves the focus on the first of them, so that reading
 * goes on there; it moves away itself, and is gone with the last page.
 */
function useMoreRows(list: ListProps['list'], count: number) {
  const { t } = useMessages();
  const feed = useRef<HTMLDivElement>(null);
  const [spoken, setSpoken] = useState('');
  const focusAt = useRef<number>(undefined);
  const load = (): void =>
    void loadMore(list).then(({ data, isError }) => {
      const shown = data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
      if (!isError) setSpoken(t('client.moreShown', { added: data?.pages.at(-1)?.data.length ?? 0, shown }));
    });
  const { end, allowMore } = useLoadOnScroll({
    isReady: list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError,
    onMore: load,
  });
  useEffect(() => {
    if (focusAt.current === undefined || count <= focusAt.current) return;
    feed.current?.querySelectorAll<HTMLElement>('[data-run]')[focusAt.current]?.focus();
    focusAt.current = undefined;
  }, [count]);
  const press = (): void => {
    allowMore();
    focusAt.current = count;
    load();
  };
  return { feed, spoken, more: { end, press } };
}
