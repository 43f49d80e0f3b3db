import { createFileRoute, Link } from '@tanstack/react-router';
import { RunPage } from '../../../features/runs/run-page.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { runDetailQuery } from '../../../queries/runs.ts';
import { PageError } from '../../../shared/page-error.tsx';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { PageSkeleton } from '../../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/runs/$id')({
  loader: ({ params, preload }) => loadQueries(preload, runDetailQuery(params.id)),
  pendingComponent: () => (
    <PageSkeleton title="Run">
      <SkeletonRows rows={5} height={60} />
    </PageSkeleton>
  ),
  errorComponent: RunMissing,
  notFoundComponent: () => <RunMissing />,
  component: Run,
});

function Run() {
  const { id } = Route.useParams();
  return <RunPage id={id} />;
}

function RunMissing(props: { error?: unknown; reset?: () => void }) {
  return (
    <PageError {...props} thing="run">
      <Link to="/dashboard/runs" className={buttonClass()}>
        All runs
      </Link>
    </PageError>
  );
}
