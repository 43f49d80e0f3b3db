import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { redirect } from '@tanstack/react-router';
import { getSession, homeOf } from './session.ts';

/** For `beforeLoad`: redirects to the login page (which returns here) without a session, and to the user's home with another role. */
export function requireRole(role: Role): (context: { location: { href: string } }) => void {
  return ({ location }) => {
    const session = getSession();
    if (!session) throw redirect({ to: '/login', search: { next: location.href }, replace: true });
    if (session.user.role !== role) throw redirect({ to: homeOf(session.user.role), replace: true });
  };
}
