import { createFileRoute } from '@tanstack/react-router';
import { loadThread } from '../../../features/inbox/load-inbox.ts';
import { ThreadPage } from '../../../features/inbox/thread-page.tsx';
import { MissingThread } from '../../../features/inbox/missing-thread.tsx';
import { ThreadSkeleton } from '../../../features/inbox/thread-skeleton.tsx';

export const Route = createFileRoute('/dashboard/inbox/$conversationId')({
  loader: ({ params, preload }) => loadThread(preload, params.conversationId),
  pendingComponent: ThreadSkeleton,
  errorComponent: Missing,
  notFoundComponent: () => <Missing />,
  component: Thread,
});

function Thread() {
  const { conversationId } = Route.useParams();
  return <ThreadPage id={conversationId} />;
}

/** Defined in this file, so that it is loaded only when needed. */
function Missing(props: { error?: unknown; reset?: () => void }) {
  return <MissingThread {...props} />;
}
