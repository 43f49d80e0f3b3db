import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PartnerClients, type PartnerClientSearch } from '../../../../features/partners/partner-clients.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import {
  clientAgentsQuery,
  clientPeopleQuery,
  partnerClientPagesQuery,
  partnerClientQuery,
} from '../../../../features/partners/queries.ts';
import { startMissing, startQueries } from '../../../../app/route-data.ts';
import { clientIn, idParam, onlySet, textParam } from '../../../../app/search-params.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/clients')({
  validateSearch: (search: Record<string, unknown>): PartnerClientSearch =>
    onlySet({ q: textParam(search.q), client: idParam(search.client) }),
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ params: { partnerId }, deps, location, preload }) => {
    const client = clientIn(location.search);
    // The drawer that the address opens.
    if (client) startMissing(preload, partnerClientQuery(client), clientAgentsQuery(partnerId, client), clientPeopleQuery(client));
    startMissing(preload, partnerQuery(partnerId));
    startQueries(preload, partnerClientPagesQuery(partnerId, deps.q));
  },
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
