import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { type DeviceProof, KNOWN_USERS_MAX, proofFor } from '@partner-portal/core/people/known-device.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readCookie, setCookie } from '#platform/http/cookies.ts';
import type { Sessions } from '#platform/http/session.ts';
import { newId } from '#platform/ids.ts';
import type { OpenedSession } from './open-session.ts';

/** Only the routes below `/auth` read it; single sign-on sets it from `/sso`. */
const COOKIE = { name: 'known_device', path: '/auth', sameSite: 'Strict' } as const;
/** Between the proofs of several users. No token contains it. */
const BETWEEN = '~';

export type Browser = Partial<Pick<RequestContext, 'header'>>;
type User = { id: string; sessionsValidFrom: Date };
type Known = { token: string; proof: DeviceProof };

/**
 * Returns the id of the caller's device when it is known for the user that `find` returns, otherwise null. Without a valid proof there is no
 * query, so an unknown and a known address take the same work.
 */
export async function findKnownDevice(
  deps: { db: Database; sessions: Sessions },
  caller: Browser,
  find: (tx: SystemTx) => Promise<User | undefined>,
  need: { secondStep?: boolean } = {},
): Promise<string | null> {
  const known = readKnown(deps.sessions, caller);
  if (known.length === 0) return null;
  const user = await deps.db.asSystem('login', find);
  const proofs = known.map(({ proof }) => proof);
  return user ? (proofFor(proofs, user, need)?.deviceId ?? null) : null;
}

/** The proof that a login, a new password or a reset link gives. `validFrom`: the time from which sessions of the user are valid. */
export type Proved = { userId: string; validFrom: Date; secondStep: boolean };

/** Returns the header that makes the caller's browser known for the user, in addition to the users it was known for before. */
export function rememberDevice(
  deps: { sessions: Sessions; baseUrl: string },
  caller: Browser,
  { userId, validFrom, secondStep }: Proved,
): { 'set-cookie': string } {
  const known = readKnown(deps.sessions, caller);
  // A proof of ended sessions is replaced too, but its id is kept: its guesses stay counted.
  const deviceId = known.find(({ proof }) => proof.userId === userId)?.proof.deviceId ?? newId();
  const token = deps.sessions.issueDevice({ userId, deviceId, secondStep, validFrom });
  const others = known.filter(({ proof }) => proof.userId !== userId).map((one) => one.token);
  const value = [token, ...others].slice(0, KNOWN_USERS_MAX).join(BETWEEN);
  return { 'set-cookie': setCookie(COOKIE, value, LIMITS.knownDeviceDays * 86_400, deps.baseUrl) };
}

/** Returns the header that makes the browser of a sign-in known. */
export function rememberSignIn(deps: { sessions: Sessions; baseUrl: string }, caller: Browser, { user, validFrom }: OpenedSession) {
  return rememberDevice(deps, caller, { userId: user.id, validFrom, secondStep: user.authMethod === 'password_mfa' });
}

function readKnown(sessions: Sessions, caller: Browser): Known[] {
  const tokens = readCookie(caller.header?.('cookie'), COOKIE.name)?.split(BETWEEN, KNOWN_USERS_MAX) ?? [];
  return tokens.flatMap((token) => {
    const proof = sessions.readDevice(token);
    return proof ? [{ token, proof }] : [];
  });
}
