import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

/** Shown while a conversation loads. A file of its own: routes load it at once, and nothing else with it. */
export function ThreadSkeleton() {
  return (
    <div className="p-5">
      <SkeletonRows rows={6} height={52} />
    </div>
  );
}
