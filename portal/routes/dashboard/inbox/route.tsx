import { createFileRoute, Outlet } from '@tanstack/react-router';
import { startMissing } from '../../../app/route-data.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { InboxPage } from '../../../features/inbox/inbox-page.tsx';
import { loadInbox } from '../../../features/inbox/load-inbox.ts';
import { SavedFilters } from '../../../shared/saved-filters.tsx';
import { parseInboxSearch } from '../../../queries/inbox.ts';

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
  const [filters, onSearch] = useSearchState(Route);
  return (
    <InboxPage area="dashboard" filters={filters} onSearch={onSearch} tools={<SavedFilters table="inbox" keys={['show', 'q']} />}>
      <Outlet />
    </InboxPage>
  );
}
