import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { TooltipProvider } from '../../ui/overlays/tooltip.tsx';
import { Landing } from './landing-page.tsx';

/** Returns the landing page as HTML, as it is before any data. Called by the build. */
export function renderLanding(): string {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory({ initialEntries: ['/'] }) });
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router as never /* links need its history and nothing of its routes */}>
        <TooltipProvider>
          <Landing />
        </TooltipProvider>
      </RouterContextProvider>
    </QueryClientProvider>,
  );
}
