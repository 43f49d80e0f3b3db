import type { SystemTx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { forgetFailures, refuseWhenTooMany } from './failures.ts';
import { type Caller, isGone, openSession } from './open-session.ts';
import { openChallenge } from './pass-challenge.ts';
import { findHousePartner, findUserByEmail, type SessionRow } from '../store.ts';

export type LoginDeps = Pick<IdentityDeps, 'db' | 'sessions' | 'limits' | 'hasher' | 'dummyHash' | 'ssoRequirement'>;

/**
 * Signs in with e-mail and password; with an authenticator app the answer is a challenge. An unknown address costs the same
 * work and gets the same answer as a wrong password; only a right password learns that its user is disabled, or has to come
 * in through their identity provider. A suspended account may come in: it can read why.
 */
export async function logIn(deps: LoginDeps, caller: Caller, input: { email: string; password: string }) {
  // One of each place stands in line for the account: who sends many does not fill it for the others.
  return deps.limits.inTurn(`${input.email} ${caller.address}`, () => deps.limits.inTurn(input.email, () => tryOnce(deps, caller, input)));
}

/**
 * Programs that share an account sign in many at a time, from one place or many: a right password must not wait a quarter of an hour for
 * others like it. One after the other, each has taken its counts back before the next is counted.
 */
async function tryOnce(deps: LoginDeps, caller: Caller, input: { email: string; password: string }) {
  await refuseWhenTooMany(deps.limits, input.email, caller.address);
  const user = await deps.db.asSystem('login', (tx) => findUserByEmail(tx, input.email));
  const passwordHash = user?.passwordHash ?? (await deps.dummyHash());
  const right = await deps.hasher.verify(passwordHash, input.password);
  if (!right || !user?.passwordHash || isGone(user)) {
    await deps.db.asSystem('login', (tx) => recordFailure(tx, caller, input.email, user));
    return refuse('invalid_credentials', { detail: 'Check the address and the password, then try again.' });
  }
  await forgetFailures(deps.limits, input.email, caller.address);
  return deps.db.asSystem('login', async (tx) => {
    const elsewhere = user.status === 'active' ? await deps.ssoRequirement(tx, user) : null;
    if (elsewhere) return refuse('sso_required', { detail: 'Your agency signs in through its identity provider.', ...elsewhere });
    return user.status === 'active' && user.mfaEnabled
      ? openChallenge(deps, tx, caller, user)
      : openSession(deps, tx, caller, user, 'password');
  });
}

/** Written for an unknown address too, into the log of staff: the same work, so the time tells nothing. */
async function recordFailure(tx: SystemTx, caller: Caller, email: string, user: SessionRow | undefined): Promise<void> {
  const housePartnerId = await findHousePartner(tx);
  await recordAudit(tx, {
    partnerId: user?.partnerId ?? housePartnerId,
    clientId: user?.clientId ?? null,
    actor: { kind: 'system' },
    action: 'session.sign_in_failed',
    target: { type: 'user', id: user?.id ?? null, label: email },
    result: 'refused',
    changes: { refusal: [null, 'invalid_credentials'] },
    origin: originOf(caller),
  });
}
