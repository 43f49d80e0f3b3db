import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { useLoadOnScroll } from '../../ui/hooks/use-load-on-scroll.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { MoreFailed } from '../../shared/more-failed.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { conversationsQuery, type InboxFilters } from '../../queries/inbox.ts';
import { useArea } from './area.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { loadMore } from '../../shared/load-more.ts';

type Props = { filters: InboxFilters; openId: string | undefined; onChange: (change: Partial<InboxFilters>) => void };

/** The conversations, the newest message first; more are loaded when the end comes into view. */
export function ConversationList({ filters, openId, onChange }: Props) {
  const { t } = useMessages();
  const list = useInfiniteQuery(conversationsQuery(filters));
  const { client: _client, ...search } = filters;
  // A conversation that the stream moved up stays, as it was, on the page on which it stood before.
  const rows = rowsOf(list).filter((row, n, all) => all.findIndex(({ id }) => id === row.id) === n);
  const more = (): void => void loadMore(list);
  const { end, allowMore } = useLoadOnScroll({
    isReady: list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError,
    onMore: more,
  });
  if (list.error && rows.length === 0)
    return (
      <div className="p-4">
        <ErrorBlock error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  if (list.isPending) return <Padded>{<SkeletonRows rows={8} height={64} />}</Padded>;
  if (rows.length === 0)
    return (
      <Padded>
        <NoConversations filters={filters} onChange={onChange} />
      </Padded>
    );
  return (
    <>
      <ul aria-label={t('inbox.conversations')}>
        {rows.map((row) => (
          <ConversationRow key={row.id} row={row} search={search} isOpen={row.id === openId} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <div ref={end} className="p-3 text-center">
          <MoreFailed list={list} />
          <Button
            size="sm"
            busy={list.isFetchingNextPage && t('ui.loading')}
            onClick={() => {
              allowMore();
              more();
            }}
          >
            {t('inbox.show-more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Padded({ children }: { children: ReactNode }) {
  return <div className="p-4">{children}</div>;
}

function NoConversations({ filters: { show, q }, onChange }: Pick<Props, 'filters' | 'onChange'>) {
  const { t } = useMessages();
  const area = useArea();
  if (show || q)
    return (
      <NoMatch title={t('inbox.no-match')} onClear={() => onChange({ show: undefined, q: undefined })}>
        {q ? t('inbox.no-match-text', { text: q }) : undefined}
      </NoMatch>
    );
  return <EmptyState title={t('inbox.none')}>{t(area === 'dashboard' ? 'inbox.none-agency' : 'inbox.none-client')}</EmptyState>;
}
