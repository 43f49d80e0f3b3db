import { createFileRoute } from '@tanstack/react-router';
import { OutboxPage } from '../../features/outbox/outbox-page.tsx';
import { idParam, searchParser, textParam } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { startQueries } from '../../app/route-data.ts';
import { outboxQuery } from '../../features/outbox/queries.ts';

const parseSearch = searchParser({ provider: textParam, q: textParam, call: idParam });

export const Route = createFileRoute('/admin/outbox')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => ({ provider: search.provider, q: search.q }),
  loader: ({ deps, preload }) => startQueries(preload, outboxQuery(deps)),
  component: Outbox,
});

function Outbox() {
  const [search, onSearch] = useSearchState(Route);
  return <OutboxPage search={search} onSearch={onSearch} />;
}
