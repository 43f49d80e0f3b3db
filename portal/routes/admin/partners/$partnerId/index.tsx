import { createFileRoute } from '@tanstack/react-router';
import { PartnerOverview } from '../../../../features/partners/partner-overview.tsx';

export const Route = createFileRoute('/admin/partners/$partnerId/')({ component: Overview });

function Overview() {
  return <PartnerOverview partnerId={Route.useParams().partnerId} />;
}
