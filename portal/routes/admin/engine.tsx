import { createFileRoute } from '@tanstack/react-router';
import { EnginePage } from '../../features/engine/engine-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { engineQuery } from '../../queries/engine.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/engine')({
  loader: ({ preload }) => loadQueries(preload, engineQuery),
  pendingComponent: () => (
    <PageSkeleton title="Engine">
      <SkeletonBlock height={420} />
    </PageSkeleton>
  ),
  component: EnginePage,
});
