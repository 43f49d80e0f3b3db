import { api } from './api.ts';
import { endSessionAndLeave } from './log-out.ts';
import { endInOtherTabs, leaveWithSession } from './session.ts';

/** Ends the session at the server and in every tab; logs out locally even if the server is unreachable. */
export async function signOut(): Promise<void> {
  endInOtherTabs();
  await endSessionAndLeave(
    () => api.logout().catch(() => undefined),
    () => leaveWithSession('/login', undefined),
  );
}
