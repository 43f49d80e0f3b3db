import { createRootRoute, notFound, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { whenConfirmationNeeded } from '../app/confirm-login.ts';
import { isElsewhere } from '../app/own-host.ts';
import { getSession } from '../app/session.ts';
import { ErrorBlock } from '../shared/error-block.tsx';
import { LeaveGuardContext } from '../shared/forms/leave-guard-context.ts';
import { LeaveGuard } from '../shared/forms/leave-guard.tsx';
import { Toasts } from '../ui/feedback/toast.tsx';
import { TooltipProvider } from '../ui/overlays/tooltip.tsx';
import '../ui/layout/shell.css';

/** In the reader's language: agencies and staff read English, and without a session the browser decides. */
const NotFoundPage = lazy(async () => {
  const user = getSession()?.user;
  const [page, messages] = await Promise.all([import('../features/public/not-found-page.tsx'), import('../app/messages.ts')]);
  if (user === undefined) await messages.loadBrowserMessages();
  else await messages.loadMessages(user.role === 'CLIENT' ? user.locale : 'en', user.timezone);
  return { default: page.NotFoundPage };
});

const ConfirmLogin = lazy(() => import('../features/session/confirm-login.tsx').then((module) => ({ default: module.ConfirmLogin })));

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
      <LeaveGuardContext value={LeaveGuard}>
        <Outlet />
      </LeaveGuardContext>
      <ConfirmLoginHost />
      <Toasts />
    </TooltipProvider>
  );
}

/** Opens the dialog that asks for the password, whichever page made the call. Loaded as a separate chunk, because it is rarely shown. */
function ConfirmLoginHost() {
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => whenConfirmationNeeded(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  const done = (isConfirmed: boolean): void => {
    setAnswer(undefined);
    answer(isConfirmed);
  };
  return (
    <Suspense>
      <ConfirmLogin onDone={done} />
    </Suspense>
  );
}

function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <div className="shell-page max-w-170">
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
