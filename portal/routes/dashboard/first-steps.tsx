import { createFileRoute } from '@tanstack/react-router';
import { FirstStepsPage } from '../../features/overview/first-steps-page.tsx';
import { SendToPhonePanel } from '../../features/phone/send-to-phone.tsx';
import { RequestSampleButton } from '../../features/requests/request-button.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { onboardingQuery } from '../../features/overview/queries.ts';
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
    <FirstStepsPage request={(sample) => <RequestSampleButton sample={sample} />} phone={(agent) => <SendToPhonePanel agent={agent} />} />
  );
}
