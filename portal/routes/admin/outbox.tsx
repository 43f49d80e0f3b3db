import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { OutboxPage, type OutboxSearch } from '../../features/outbox/outbox-page.tsx';
import { idParam, onlySet, textParam } from '../../app/search-params.ts';
import { startQueries } from '../../app/route-data.ts';
import { outboxQuery } from '../../features/outbox/queries.ts';

export const Route = createFileRoute('/admin/outbox')({
  validateSearch: (search: Record<string, unknown>): OutboxSearch =>
    onlySet({ provider: textParam(search.provider), q: textParam(search.q), call: idParam(search.call) }),
  loaderDeps: ({ search }) => ({ provider: search.provider, q: search.q }),
  loader: ({ deps, preload }) => startQueries(preload, outboxQuery(deps)),
  component: Outbox,
});

function Outbox() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: OutboxSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <OutboxPage search={Route.useSearch()} onSearch={onSearch} />;
}
