import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { type RateLimits, tooFast } from '#platform/http/rate-limit.ts';
import type { Sessions } from '#platform/http/session.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/audit/index.ts';
import type { Hasher } from './hasher.ts';
import { sessionUserOf } from './session-answer.ts';
import { findUserByEmail, markSignedIn, type SessionRow } from './store.ts';

export type LoginDeps = { db: Database; sessions: Sessions; limits: RateLimits; hasher: Hasher; dummyHash: () => Promise<string> };
type Caller = Pick<RequestContext, 'address' | 'userAgent' | 'requestId' | 'now'>;

/**
 * Signs in with e-mail and password. An unknown address costs the same work and gets the same answer as a wrong password;
 * only a right password learns that its user is disabled. Failures are counted per e-mail and network address, and per
 * network address alone (product.md §5.1). A suspended account may come in: it can read why.
 */
export async function logIn(deps: LoginDeps, caller: Caller, input: { email: string; password: string }) {
  const key = `${input.email} ${caller.address}`;
  await refuseWhenTooMany(deps.limits, key, caller.address);
  const user = await deps.db.asSystem('login', (tx) => findUserByEmail(tx, input.email));
  const passwordHash = user?.passwordHash ?? (await deps.dummyHash());
  const right = await deps.hasher.verify(passwordHash, input.password);
  if (!right || !user?.passwordHash || user.partnerStatus === 'deleted' || user.clientStatus === 'deleted') {
    await deps.limits.count('loginFailureOfAddress', caller.address);
    return refuse('invalid_credentials', { detail: 'Check the address and the password, then try again.' });
  }
  await deps.limits.forget('loginFailure', key);
  if (user.status !== 'active') return refuse('user_disabled', { detail: 'Ask an admin of your agency to enable this user.' });
  return openSession(deps, caller, user);
}

/** Counted before the password is looked at, so that many tries at once cannot slip through together. */
async function refuseWhenTooMany(limits: RateLimits, key: string, address: string): Promise<void> {
  const ofAddress = await limits.look('loginFailureOfAddress', address);
  if (ofAddress.remaining === 0) throw tooFast('loginFailureOfAddress', ofAddress);
  await limits.require('loginFailure', key);
}

async function openSession(deps: LoginDeps, caller: Caller, user: SessionRow) {
  const { accessToken, expiresAt, jti } = deps.sessions.issue({
    userId: user.id,
    email: user.email,
    role: user.role,
    partnerId: user.partnerId,
    partnerRole: user.partnerRole,
    clientId: user.clientId,
    authMethod: 'password',
    validFrom: user.sessionsValidFrom,
  });
  const actor: Actor = {
    kind: 'user',
    userId: user.id,
    email: user.email,
    role: user.role,
    partnerId: user.partnerId,
    partnerRole: user.partnerRole,
    clientId: user.clientId,
    authMethod: 'password',
    jti,
    issuedAt: caller.now,
    expiresAt,
    readOnly: false,
    actingUserId: null,
  };
  await deps.db.asSystem('login', async (tx) => {
    await Promise.all([
      markSignedIn(tx, user.id, caller.now),
      recordAudit(tx, {
        partnerId: user.partnerId,
        clientId: user.clientId,
        actor,
        action: 'session.signed_in',
        target: { type: 'user', id: user.id, label: user.email },
        origin: originOf(caller),
      }),
    ]);
  });
  return { accessToken, expiresAt, user: sessionUserOf({ ...user, lastLoginAt: caller.now }, 'password') };
}
