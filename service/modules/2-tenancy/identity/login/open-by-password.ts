import type { SystemTx } from '#platform/db/tx.ts';
import type { IdentityDeps } from '../deps.ts';
import { openChallenge } from '../mfa/pass-challenge.ts';
import { type Caller, type OpenedSession, openSession } from '../open-session.ts';
import type { SessionRow } from '../store.ts';

export type PasswordDeps = Pick<IdentityDeps, 'sessions' | 'ssoRequirement'>;
type Opened = OpenedSession | { mfaRequired: true; tempToken: string } | { ssoUrl: string };

/**
 * What a proved password opens: a session, the challenge of the second step, or, where the agency enforces single sign-on, nothing but the
 * place to log in. Refuses as `openSession` does.
 */
export async function openByPassword(deps: PasswordDeps, tx: SystemTx, caller: Caller, user: SessionRow): Promise<Opened> {
  const isActive = user.status === 'active';
  const requirement = isActive ? await deps.ssoRequirement(tx, user) : null;
  if (requirement) return requirement;
  return isActive && user.mfaEnabled ? openChallenge(deps, tx, caller, user) : openSession(deps, tx, caller, user, 'password');
}
