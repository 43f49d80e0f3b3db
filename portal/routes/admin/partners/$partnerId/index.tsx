import { createFileRoute } from '@tanstack/react-router';
import { PartnerOverview } from '../../../../features/partners/partner-overview.tsx';
import { startMissing, startQueries } from '../../../../app/route-data.ts';
import { partnerQuery } from '../../../../queries/partners.ts';
import { partnerClientsQuery, partnersOnboardingQuery, partnerUsersQuery } from '../../../../features/partners/queries.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/')({
  loader: ({ params: { partnerId }, preload }) => {
    startMissing(preload, partnerQuery(partnerId), partnersOnboardingQuery([partnerId]));
    startQueries(preload, partnerClientsQuery(partnerId), partnerUsersQuery(partnerId));
  },
  component: Overview,
});

function Overview() {
  return <PartnerOverview partnerId={Route.useParams().partnerId} />;
}
