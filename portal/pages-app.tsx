import { createRouter, RouterProvider } from '@tanstack/react-router';
import { keepPlace } from './app/keep-place.ts';
import { render } from './render.tsx';
import { routeTree } from './route-tree.gen.ts';
import { RouteError } from './shared/route-error.tsx';
import { SkeletonRows } from './ui/feedback/skeleton.tsx';

function createPages() {
  return createRouter({
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
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}

/** Shows the page of the address, and from then on every other. */
export function showPages(): void {
  const router = createPages();
  keepPlace(router);
  render(<RouterProvider router={router} />);
}
