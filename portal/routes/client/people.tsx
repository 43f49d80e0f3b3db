import { createFileRoute } from '@tanstack/react-router';
import { PeoplePage } from '../../features/client/people-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { peopleQuery } from '../../features/client/trust-queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/people')({
  loader: ({ preload }) => loadQueries(preload, peopleQuery),
  pendingComponent: () => <SkeletonRows rows={6} height={72} />,
  component: PeoplePage,
});
