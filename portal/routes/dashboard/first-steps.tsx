import { createFileRoute } from '@tanstack/react-router';
import { FirstStepsPage } from '../../features/overview/first-steps-page.tsx';
import { RequestButton } from '../../features/requests/request-dialog.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { onboardingQuery } from '../../queries/onboarding.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/first-steps')({
  loader: ({ preload }) => loadQueries(preload, onboardingQuery),
  pendingComponent: () => (
    <PageSkeleton title="First steps">
      <SkeletonRows rows={7} label="Loading the first steps" />
    </PageSkeleton>
  ),
  component: FirstSteps,
});

function FirstSteps() {
  return (
    <FirstStepsPage
      request={(sample) => (
        <RequestButton
          kind="primary"
          word="Request this agent"
          clientId={sample.clientId ?? undefined}
          templateName={sample.templateName}
        />
      )}
    />
  );
}
