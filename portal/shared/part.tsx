import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { RouteError } from './route-error.tsx';

type Props = { children: ReactNode; skeleton?: ReactNode; /** A new id clears the error, such as that of the previous tab. */ id: string };

/** A part of a page, such as a tab, that loads and fails on its own; the rest of the page stays. */
export function Part({ children, skeleton = <SkeletonRows />, id }: Props) {
  return (
    <CatchBoundary getResetKey={() => id} errorComponent={PartError}>
      <Suspense fallback={skeleton}>{children}</Suspense>
    </CatchBoundary>
  );
}

function PartError({ error, reset }: { error: unknown; reset: () => void }) {
  return <RouteError error={error} reset={reset} />;
}
