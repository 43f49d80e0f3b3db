import { Link } from '@tanstack/react-router';
import { PageError } from '../../shared/page-error.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { useArea } from './area.tsx';

/** Shown while a conversation loads. */
export function ThreadSkeleton() {
  return (
    <div className="p-5">
      <SkeletonRows rows={6} height={52} />
    </div>
  );
}

/** Shown for a conversation that does not exist or could not be loaded. */
export function MissingThread(props: { error?: unknown; reset?: () => void }) {
  const inbox = useArea() === 'client' ? '/client/inbox' : '/dashboard/inbox';
  return (
    <div className="p-5">
      <PageError {...props} thing="conversation">
        <Link to={inbox} className={buttonClass()}>
          All conversations
        </Link>
      </PageError>
    </div>
  );
}
