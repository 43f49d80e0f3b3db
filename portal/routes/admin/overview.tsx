import { createFileRoute } from '@tanstack/react-router';
import { staffOverviewQuery } from '../../features/staff-overview/queries.ts';
import { StaffOverviewPage } from '../../features/staff-overview/staff-overview-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

/** The overview of staff. */
export const Route = createFileRoute('/admin/overview')({
  loader: ({ preload }) => loadQueries(preload, staffOverviewQuery),
  pendingComponent: () => (
    <PageSkeleton title="Overview">
      <SkeletonBlock height={420} />
    </PageSkeleton>
  ),
  component: StaffOverviewPage,
});
