import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
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
  const rows = rowsOf(list);
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
      {list.hasNextPage ? <More isBusy={list.isFetchingNextPage} onMore={() => void loadMore(list)} /> : null}
    </>
  );
}

function Padded({ children }: { children: ReactNode }) {
  return <div className="p-4">{children}</div>;
}

function More({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) {
  const { t } = useMessages();
  const ref = useRef<HTMLDivElement>(null);
  const load = useRef(onMore);
  load.current = onMore;
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !isBusy) load.current();
    });
    if (ref.current) watch.observe(ref.current);
    return () => watch.disconnect();
  }, [isBusy]);
  return (
    <div ref={ref} className="p-3 text-center">
      <Button size="sm" busy={isBusy && t('inbox.loading')} onClick={onMore}>
        {t('inbox.show-more')}
      </Button>
    </div>
  );
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
