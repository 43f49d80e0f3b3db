import { type AnyRouter, createRouter, RouterProvider, useRouterState } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import './app/all-routes.ts';
import { announcePage } from './app/announce-page.ts';
import { keepPlace } from './app/keep-place.ts';
import { knownZone } from '@partner-portal/messages/messages.ts';
import { getSession } from './app/session.ts';
import { whenSlowedDown } from './app/query-client.ts';
import { announceWait } from './ui/feedback/toast.tsx';
import { setReaderZone, uiText } from './ui/text/reader.ts';
import { render } from './render.tsx';
import { routeTree } from './route-tree.gen.ts';
import { RouteError } from './shared/route-error.tsx';
import { Boot, FACES } from './ui/layout/boot.tsx';
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
    // The page of another record begins without what was typed on that of the one before.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    InnerWrap: UntilMatched,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}

/** Keeps the shape that index.html shows until the router knows what follows it. */
function UntilMatched({ children }: { children: ReactNode }): ReactElement {
  const isMatched = useRouterState<AnyRouter, boolean>({ select: ({ matches }) => matches.length > 0 });
  const face = FACES.find((one) => one === document.documentElement.dataset['face']);
  return (
    <>
      {isMatched || face === undefined ? null : <Boot face={face} />}
      {children}
    </>
  );
}

/** Shows the page of the address, and from then on every other. `isAfterLogin`: whether it takes the place of the login in this document. */
export function showPages({ isAfterLogin = false }: { isAfterLogin?: boolean } = {}): void {
  const timezone = getSession()?.user.timezone;
  if (timezone) setReaderZone(knownZone(timezone));
  whenSlowedDown((seconds) => announceWait(uiText('ui.slowedDown', { seconds }), seconds));
  const router = createPages();
  keepPlace(router);
  announcePage(router, isAfterLogin);
  render(<RouterProvider router={router} />);
}
