import { createFileRoute, redirect } from '@tanstack/react-router';
import { getSession, homeOf } from '../app/session.ts';

/** Redirects logged-in users to their home, others to the login. The service sends the landing page as a document of its own (landing/). */
export const Route = createFileRoute('/')({
  beforeLoad: () => {
    const session = getSession();
    throw redirect({ to: session ? homeOf(session.user.role) : '/login', replace: true });
  },
});
