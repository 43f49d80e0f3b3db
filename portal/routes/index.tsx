import { createFileRoute, redirect } from '@tanstack/react-router';
import { LandingPage } from '../features/public/landing-page.tsx';
import { ownHost } from '../app/own-host.ts';
import { getSession, homeOf } from '../app/session.ts';

/** Redirects logged-in users to their home; others see what the product is. */
export const Route = createFileRoute('/')({
  beforeLoad: () => {
    const session = getSession();
    if (session) throw redirect({ to: homeOf(session.user.role), replace: true });
    if (ownHost) throw redirect({ to: '/login', replace: true });
  },
  component: LandingPage,
});
