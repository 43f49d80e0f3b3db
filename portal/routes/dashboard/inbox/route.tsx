import { createFileRoute, Outlet, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startMissing } from '../../../app/route-data.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';
import { onlySet } from '../../../app/search-params.ts';
import { InboxPage } from '../../../features/inbox/inbox-page.tsx';
import { loadInbox } from '../../../features/inbox/load-inbox.ts';
import { SavedFilters } from '../../../shared/saved-filters.tsx';
import { type InboxSearch, parseInboxSearch } from '../../../queries/inbox.ts';

export const Route = createFileRoute('/dashboard/inbox')({
  validateSearch: parseInboxSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload, location }) => {
    startMissing(preload, savedFiltersQuery('inbox'));
    loadInbox(preload, deps, location.pathname);
  },
  component: Inbox,
});

function Inbox() {
  const navigate = Route.useNavigate();
  const { conversationId } = useParams({ strict: false });
  const onSearch = useCallback(
    (change: InboxSearch) =>
      void navigate({ to: '.', search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <InboxPage
      area="dashboard"
      filters={Route.useSearch()}
      openId={conversationId}
      onSearch={onSearch}
      tools={<SavedFilters table="inbox" keys={['show', 'q']} />}
    >
      <Outlet />
    </InboxPage>
  );
}
