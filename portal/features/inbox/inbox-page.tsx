import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef } from 'react';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { TextFilter } from '../../ui/table/filter-bar.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { api } from '../../app/api.ts';
import { inboxCountsQuery, type InboxFilters, inboxQuery, type InboxSearch } from '../../queries/inbox.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { type Area, AreaProvider } from './area.tsx';
import { ConversationList } from './conversation-list.tsx';
import { FiguresLine } from './figures-panel.tsx';
import { InboxChips } from './inbox-chips.tsx';
import { useListKeys } from './use-inbox-keys.ts';
import { useLiveInbox } from './use-live-inbox.ts';
import './inbox.css';

type Props = {
  area: Area;
  filters: InboxFilters;
  onSearch: (change: InboxSearch) => void;
  /** Shown next to the heading. */
  tools?: ReactNode;
  children: ReactNode;
};

/** The inbox: the list, and a conversation next to it (on a phone, in its place). */
export function InboxPage(props: Props) {
  const { t } = useMessages();
  const user = useUser();
  useTitle(t('inbox.title'), user.partner.name);
  if (!user.features.chatbot)
    return (
      <>
        <h1 className="mb-5 text-xl">{t('inbox.title')}</h1>
        {props.area === 'client' ? (
          <EmptyState title={t('inbox.no-plan')}>{t('inbox.no-plan-hint', { agency: user.partner.name })}</EmptyState>
        ) : (
          <EmptyState title="The chatbot is not part of your plan">
            With it, a client’s website answers visitors by itself, and people take over here.
          </EmptyState>
        )}
      </>
    );
  return (
    <AreaProvider value={props.area}>
      <InboxPanes {...props} />
    </AreaProvider>
  );
}

function InboxPanes({ area, filters, onSearch, tools, children }: Props) {
  // The conversation that is open next to the list.
  const { conversationId: openId } = useParams({ strict: false });
  const { t } = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const { live, spoken } = useLiveInbox(filters);
  const counts = useQuery(inboxCountsQuery(filters.client));
  const isViewing = useIsViewing();
  const onText = useCallback((q: string | undefined) => onSearch({ q }), [onSearch]);
  useListKeys(list);
  return (
    <div className="inbox" data-area={area} data-thread={openId ? '' : undefined}>
      <section className="inbox-list" aria-label={t('inbox.conversations')}>
        <header className="inbox-list-head">
          <div className="flex items-center gap-2">
            <h1 className="text-lg font-semibold">{t('inbox.title')}</h1>
            <LiveDot state={live} />
            <span className="ml-auto flex items-center gap-1.5">
              {tools}
              {isViewing ? null : (
                <ExportButton
                  size="sm"
                  word="CSV"
                  name="conversations"
                  read={() => api.exportConversations({ query: inboxQuery(filters) })}
                />
              )}
            </span>
          </div>
          <FiguresLine clientId={filters.client} />
          <TextFilter text={filters.q ?? ''} onText={onText} placeholder={t('inbox.search')} isWide />
          <InboxChips shown={filters.show} counts={counts.data} onShow={(show) => onSearch({ show })} />
        </header>
        <div ref={list} className="inbox-scroll">
          <ConversationList filters={filters} openId={openId} onChange={onSearch} />
        </div>
      </section>
      <section className="inbox-thread" aria-label={t('inbox.conversation')}>
        {children}
      </section>
      <p className="sr-only" role="status">
        {spoken}
      </p>
    </div>
  );
}
