import { ApiError } from '@partner-portal/contract/client.ts';
import { CancelledError, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { queryClient } from './app/query-client.ts';

let root: Root | undefined;

/** Shows `content` as the page, in place of what was shown before. */
export function render(content: ReactNode): void {
  const element = document.getElementById('root');
  if (!element) return;
  root ??= createRoot(element, { onCaughtError: reportError });
  root.render(<App>{content}</App>);
}

/** Takes over `element`, whose HTML is `content` as the build rendered it: what is typed or focused stays. */
export function hydrate(element: HTMLElement, content: ReactNode): void {
  hydrateRoot(element, <App>{content}</App>, { onCaughtError: reportError });
}

function App({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </StrictMode>
  );
}

/** A refused call is shown on its page, with its request id, and log-out cancels what is loading; anything else is a defect. */
function reportError(error: unknown): void {
  if (!(error instanceof ApiError) && !(error instanceof CancelledError)) console.error(error); // eslint-disable-line no-console -- the browser's own report
}
