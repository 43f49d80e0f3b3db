import { createRootRoute, notFound, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isElsewhere } from '../app/own-host.ts';
import { ErrorBlock } from '../shared/error-block.tsx';
import { Toasts } from '../ui/feedback/toast.tsx';
import { TooltipProvider } from '../ui/overlays/tooltip.tsx';
import '../ui/layout/shell.css';

const NotFoundPage = lazy(() => import('../features/public/not-found-page.tsx').then((module) => ({ default: module.NotFoundPage })));

export const Route = createRootRoute({
  beforeLoad: ({ location }) => {
    if (isElsewhere(location.pathname)) throw notFound();
  },
  component: Root,
  errorComponent: PageError,
  notFoundComponent: NotFound,
});

function Root() {
  return (
    <TooltipProvider>
      <Outlet />
      <Toasts />
    </TooltipProvider>
  );
}

function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <div className="shell-page max-w-[680px]">
      <ErrorBlock error={error} onRetry={reset} />
    </div>
  );
}

/** Loaded as a separate chunk, because it is rarely shown. */
function NotFound() {
  return (
    <Suspense>
      <NotFoundPage />
    </Suspense>
  );
}
