import { createFileRoute } from '@tanstack/react-router';
import { AgencySettings } from '../../../features/settings/agency-settings.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { ownPartnerQuery } from '../../../queries/agency.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/')({
  loader: ({ preload }) => loadQueries(preload, ownPartnerQuery),
  pendingComponent: () => <SkeletonRows />,
  component: AgencySettings,
});
