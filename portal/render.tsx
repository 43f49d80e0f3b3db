import { ApiError } from '@partner-portal/contract/client.ts';
import { CancelledError, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { queryClient } from './app/query-client.ts';

let root: Root | undefined;

/** Shows `content` as the page, in place of what was shown before. */
export function render(content: ReactNode): void {
  const element = document.getElementById('root');
  if (!element) return;
  root ??= createRoot(element, { onCaughtError: reportError });
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{content}</QueryClientProvider>
    </StrictMode>,
  );
}

/** A refused call is shown on its page, with its request id, and log-out cancels what is loading; anything else is a defect. */
function reportError(error: unknown): void {
  if (!(error instanceof ApiError) && !(error instanceof CancelledError)) console.error(error); // eslint-disable-line no-console -- the browser's own report
}
