import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Button, buttonClass } from '../ui/button.tsx';
import { ErrorBlock } from '../ui/note.tsx';
import { Toasts } from '../ui/toast.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';

export const Route = createRootRoute({ component: Root, errorComponent: PageError, notFoundComponent: NotFound });

function Root() {
  return (
    <TooltipProvider>
      <Outlet />
      <Toasts />
    </TooltipProvider>
  );
}

function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  return <div className="page max-w-[680px]"><ErrorBlock error={error} onRetry={reset} /></div>;
}

function NotFound() {
  return (
    <main className="page max-w-[680px]">
      <h1 className="text-xl">There is no page here</h1>
      <p className="mb-4 text-ink-2">The address may be cut or out of date.</p>
      <div className="flex gap-2">
        <a href="/" className={buttonClass('primary')}>Go to your first page</a>
        <Button onClick={() => history.back()}>Go back</Button>
      </div>
    </main>
  );
}
