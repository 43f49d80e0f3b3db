import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { LandingPage } from './landing-page.tsx';

/** Returns the landing page as HTML, as it is before any data. Called by the build. */
export function renderLanding(): string {
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <LandingPage />
    </QueryClientProvider>,
  );
}
