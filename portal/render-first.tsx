import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { LandingPage } from './features/public/landing-page.tsx';
import { Signup } from './features/signup/signup.tsx';

/** Return pages as HTML, as they are before any data. Called by the build. */
export const renderLanding = (): string => renderFirst(<LandingPage />);
export const renderSignup = (): string => renderFirst(<Signup />);

function renderFirst(page: ReactNode): string {
  return renderToString(<QueryClientProvider client={new QueryClient()}>{page}</QueryClientProvider>);
}
