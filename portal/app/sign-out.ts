import { api } from './api.ts';
import { endSessionAndLeave } from './log-out.ts';
import { leaveWithSession } from './session.ts';

/** Ends the session at the server and locally; logs out locally even if the server is unreachable. */
export async function signOut(): Promise<void> {
  await endSessionAndLeave(
    () => api.logout().catch(() => undefined),
    () => leaveWithSession('/login', undefined),
  );
}
