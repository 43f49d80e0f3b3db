import { createFileRoute } from '@tanstack/react-router';
import { PartnerOverview } from '../../../../features/partners/partner-overview.tsx';
import { startQueries } from '../../../../app/route-data.ts';
import { partnerClientsQuery, partnerUsersQuery } from '../../../../features/partners/queries.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/')({
  loader: ({ params, preload }) => startQueries(preload, partnerClientsQuery(params.partnerId), partnerUsersQuery(params.partnerId)),
  component: Overview,
});

function Overview() {
  return <PartnerOverview partnerId={Route.useParams().partnerId} />;
}
