import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { Signup } from './features/signup/signup.tsx';
import { LandingPage } from './landing/landing-page.tsx';
import { TextPage } from './landing/text-page.tsx';

/** Return pages as HTML, as they are before any data. Called by the build. */
export const renderLanding = (): string => renderToStaticMarkup(<LandingPage />);
export const renderText = (): string => renderToStaticMarkup(<TextPage />);

/** The browser hydrates it. */
export const renderSignup = (): string =>
  renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <Signup />
    </QueryClientProvider>,
  );
