import { createFileRoute } from '@tanstack/react-router';
import { PartnerClients } from '../../../../features/partners/partner-clients.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import {
  clientAgentsQuery,
  clientPeopleQuery,
  partnerClientPagesQuery,
  partnerClientQuery,
} from '../../../../features/partners/queries.ts';
import { startMissing, startQueries } from '../../../../app/route-data.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { clientIn, idParam, searchParser, textParam } from '../../../../app/search-params.ts';

const parseSearch = searchParser({ q: textParam, client: idParam });

export const Route = createFileRoute('/admin/partners/$partnerId/clients')({
  validateSearch: parseSearch,
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
  const [search, onSearch] = useSearchState(Route);
  return <PartnerClients partnerId={Route.useParams().partnerId} search={search} onSearch={onSearch} />;
}
