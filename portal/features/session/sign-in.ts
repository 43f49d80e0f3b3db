import { queryClient } from '../../app/query-client.ts';
import { pageAfterLogin, type Session, setSession } from '../../app/session.ts';
import { setTheme } from '../../ui/hooks/theme.ts';

/** Stores the session and returns the path to open: the requested page if the role may see it, else the role's home. */
export function startSession(session: Session, next: string | undefined): string {
  queryClient.clear();
  setSession(session);
  if (session.user.theme !== 'system') setTheme(session.user.theme);
  return pageAfterLogin(session, next);
}
