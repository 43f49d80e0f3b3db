import { useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import type { Suspension } from '../../app/suspension.ts';
import { isOpenWhileSuspended } from '../../shared/open-while-suspended.ts';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

// Rarely shown, so it is no part of what a shell loads.
const SuspendedPage = lazy(() => import('./suspended-page.tsx').then((module) => ({ default: module.SuspendedPage })));

type Props = {
  suspension: Suspension | undefined;
  /** The page is about the suspended account itself, so it makes way for the one that says so. */
  isClosed?: boolean;
  children: ReactNode;
};

/** Shows the pages, or for a suspended account the one page that says so in place of those that do not answer. */
export function SuspensionGate({ suspension, isClosed = false, children }: Props) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const wasActive = useRef(suspension === undefined);
  if (!suspension || (!isClosed && isOpenWhileSuspended(path))) return children;
  return (
    <Suspense fallback={<SkeletonBlock height={420} />}>
      <SuspendedPage suspension={suspension} isSudden={wasActive.current} />
    </Suspense>
  );
}
