import { createFileRoute, redirect } from '@tanstack/react-router';
import { getSession, homeOf } from '../lib/session.ts';

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    const session = getSession();
    throw session ? redirect({ to: homeOf(session.user.role), replace: true }) : redirect({ to: '/login', replace: true });
  },
});
