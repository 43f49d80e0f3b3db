import { api } from './api.ts';
import { endSessionAndLeave } from './log-out.ts';
import { endInOtherTabs, getSession, leaveWithSession } from './session.ts';

/** How long a log-out waits to learn where the provider of the session ends its own. */
const ADDRESS_MS = 3_000;

/**
 * Ends the session at the server and in every tab; logs out locally even if the server is unreachable. Then the browser goes to the identity provider,
 * where the connection of the team asks for that: nothing here depends on what it does.
 */
export async function signOut(): Promise<void> {
  endInOtherTabs();
  // The log-out deletes what the address is made of, and holds back all reads.
  const next = (await addressAtProvider()) ?? '/login';
  await endSessionAndLeave(
    () => api.logout().catch(() => undefined),
    () => leaveWithSession(next, undefined),
  );
}

async function addressAtProvider(): Promise<string | null> {
  const method = getSession()?.user.authMethod;
  if (method !== 'saml' && method !== 'oidc') return null;
  const late = new Promise<null>((resolve) => setTimeout(resolve, ADDRESS_MS, null));
  const asked = api.logoutAddress().then(
    ({ url }) => (url !== null && /^https?:/.test(url) ? url : null),
    () => null,
  );
  return Promise.race([asked, late]);
}
