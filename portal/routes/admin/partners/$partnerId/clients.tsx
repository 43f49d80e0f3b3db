import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PartnerClients, type PartnerClientSearch } from '../../../../features/partners/partner-clients.tsx';
import { partnerClientPagesQuery } from '../../../../features/partners/queries.ts';
import { startQueries } from '../../../../app/route-data.ts';
import { idParam, onlySet, textParam } from '../../../../app/search-params.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/clients')({
  validateSearch: (search: Record<string, unknown>): PartnerClientSearch =>
    onlySet({ q: textParam(search.q), client: idParam(search.client) }),
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ params, deps, preload }) => startQueries(preload, partnerClientPagesQuery(params.partnerId, deps.q)),
  component: Clients,
});

function Clients() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: PartnerClientSearch) =>
      void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <PartnerClients partnerId={Route.useParams().partnerId} search={Route.useSearch()} onSearch={onSearch} />;
}
