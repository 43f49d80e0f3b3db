import { queryClient } from '../../app/query-client.ts';
import { homeOf, mayVisit, type Session, setSession } from '../../app/session.ts';
import { setTheme } from '../../ui/hooks/use-theme.ts';

/** Takes the session over and says where to go: the page asked for when the role may see it, else the role's home. */
export function startSession(session: Session, next: string | undefined): string {
  queryClient.clear();
  setSession(session);
  if (session.user.theme !== 'system') setTheme(session.user.theme);
  return next && mayVisit(session.user.role, next) ? next : homeOf(session.user.role);
}
