import type { ReactNode } from 'react';
import { isLost } from '../app/errors.ts';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { ErrorBlock } from './error-block.tsx';

type Query<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown };
type Props<Data> = {
  query: Query<Data>;
  /** Shown while it loads. */
  skeleton?: ReactNode;
  /** Around the skeleton and the error. */
  className?: string;
  children: (data: Data) => ReactNode;
};

/**
 * What a part of a page loads by itself, such as a drawer: its skeleton, its error with Try again, or its content. A failed refetch
 * leaves the content as it is. Pages load in their route instead (`loadQueries`).
 */
export function Loaded<Data>({ query, skeleton = <SkeletonRows />, className, children }: Props<Data>) {
  if (!isLost(query) && query.data !== undefined) return children(query.data);
  const shown = isLost(query) ? <ErrorBlock error={query.error} onRetry={() => void query.refetch()} /> : skeleton;
  return className ? <div className={className}>{shown}</div> : shown;
}
