import { createFileRoute, Outlet } from '@tanstack/react-router';
import { useSearchState } from '../../../app/search-state.ts';
import { InboxPage } from '../../../features/inbox/inbox-page.tsx';
import { loadInbox } from '../../../features/inbox/load-inbox.ts';
import { parseInboxSearch } from '../../../queries/inbox.ts';

export const Route = createFileRoute('/client/inbox')({
  validateSearch: parseInboxSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload, location }) => loadInbox(preload, deps, location.pathname),
  component: Inbox,
});

function Inbox() {
  const [filters, onSearch] = useSearchState(Route);
  return (
    <InboxPage area="client" filters={filters} onSearch={onSearch}>
      <Outlet />
    </InboxPage>
  );
}
