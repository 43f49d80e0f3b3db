import { createFileRoute } from '@tanstack/react-router';
import { loadQueries } from '../../../app/route-data.ts';
import { ThreadPage } from '../../../features/inbox/thread-page.tsx';
import { MissingThread } from '../../../features/inbox/missing-thread.tsx';
import { ThreadSkeleton } from '../../../features/inbox/thread-skeleton.tsx';
import { conversationQuery } from '../../../queries/inbox.ts';

export const Route = createFileRoute('/client/inbox/$conversationId')({
  loader: ({ params, preload }) => loadQueries(preload, conversationQuery(params.conversationId)),
  pendingComponent: ThreadSkeleton,
  errorComponent: Missing,
  notFoundComponent: () => <Missing />,
  component: Thread,
});

function Thread() {
  const { conversationId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <ThreadPage
      key={conversationId}
      id={conversationId}
      onBack={() => void navigate({ to: '/client/inbox', search: (before) => before, resetScroll: false })}
    />
  );
}

/** Of this file, so that it is loaded when it is needed. */
function Missing(props: { error?: unknown; reset?: () => void }) {
  return <MissingThread {...props} />;
}
