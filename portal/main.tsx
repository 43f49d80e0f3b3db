import { ApiError } from '@partner-portal/contract/client.ts';
import { CancelledError, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app.css';
import { adoptSession, getSession } from './app/session.ts';
import { queryClient } from './app/query-client.ts';
import { routeTree } from './route-tree.gen.ts';
import { RouteError } from './shared/route-error.tsx';
import { SkeletonRows } from './ui/feedback/skeleton.tsx';

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // What a page shows is kept by the query client: a loader always runs.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: SkeletonRows,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** A refused call is shown on its page, with its request id, and log-out cancels what is loading; anything else is a defect. */
function reportError(error: unknown): void {
  if (!(error instanceof ApiError) && !(error instanceof CancelledError)) console.error(error); // eslint-disable-line no-console -- the browser's own report
}

const root = document.getElementById('root');
void adoptSession().then(() => {
  if (getSession()) document.getElementById('first')?.remove();
  if (!root) return;
  createRoot(root, { onCaughtError: reportError }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
});
