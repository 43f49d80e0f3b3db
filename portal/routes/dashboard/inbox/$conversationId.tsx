import { createFileRoute } from '@tanstack/react-router';
import { loadQueries } from '../../../app/route-data.ts';
import { ThreadPage } from '../../../features/inbox/thread-page.tsx';
import { MissingThread, ThreadSkeleton } from '../../../features/inbox/thread-states.tsx';
import { conversationQuery } from '../../../queries/inbox.ts';

export const Route = createFileRoute('/dashboard/inbox/$conversationId')({
  loader: ({ params, preload }) => loadQueries(preload, conversationQuery(params.conversationId)),
  pendingComponent: ThreadSkeleton,
  errorComponent: MissingThread,
  notFoundComponent: () => <MissingThread />,
  component: Thread,
});

function Thread() {
  const { conversationId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <ThreadPage
      key={conversationId}
      id={conversationId}
      onBack={() => void navigate({ to: '/dashboard/inbox', search: (before) => before, resetScroll: false })}
    />
  );
}
