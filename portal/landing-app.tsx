import { LandingPage } from './features/public/landing-page.tsx';
import { hydrate } from './render.tsx';

/** Makes the landing page that came with the first byte work: its plans, its menu and its form. Without the router, like the login. */
export function showFirst(first: HTMLElement): void {
  hydrate(first, <LandingPage />);
}
