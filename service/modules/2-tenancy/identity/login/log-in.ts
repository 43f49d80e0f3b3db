import type { SystemTx } from '#platform/db/tx.ts';
import { isAtHome } from '#platform/http/own-host.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { countAttempt, type Guesser, type ProofOfWork } from '../failures.ts';
import { findKnownDevice } from '../known-device.ts';
import { type Caller, isDeletedAccount } from '../open-session.ts';
import { replacePassword } from '../passwords/store-passwords.ts';
import { openByPassword } from './open-by-password.ts';
import { findHousePartner, findUserByEmail, type SessionRow } from '../store.ts';

export type LoginDeps = Pick<IdentityDeps, 'db' | 'sessions' | 'limits' | 'hasher' | 'dummyHash' | 'ssoRequirement' | 'baseUrl'>;

type LoginInput = { email: string; password: string; proofOfWork?: ProofOfWork | undefined };

/**
 * Logs in with e-mail and password; with an authenticator app the response is a challenge. An unknown address takes the same work and gets
 * the same response as a wrong password; only a correct password reveals that the user is disabled or must use single sign-on. Users of a
 * suspended account may log in, to read why.
 */
export async function logIn(deps: LoginDeps, caller: Caller, input: LoginInput) {
  const { email, proofOfWork } = input;
  const deviceId = await findKnownDevice(deps, caller, (tx) => findUserByEmail(tx, email));
  const attempt = () => tryOnce(deps, caller, input, { email, address: caller.address, deviceId, proofOfWork });
  // A known device has a queue and a count of its own.
  if (deviceId !== null) return deps.limits.oneAtATime(deviceId, attempt);
  // Attempts from one address take turns, so that many attempts from it do not block other addresses.
  return deps.limits.oneAtATime(`${email} ${caller.address}`, () => deps.limits.oneAtATime(email, attempt));
}

/**
 * Attempts for one account run one after another: each gives its counts back before the next is counted, so programs that share an account
 * do not lock each other out.
 */
async function tryOnce(deps: LoginDeps, caller: Caller, input: LoginInput, guesser: Guesser) {
  const forgetAttempt = await countAttempt(deps, guesser);
  const user = await deps.db.asSystem('login', (tx) => findUserByEmail(tx, input.email));
  const passwordHash = user?.passwordHash ?? (await deps.dummyHash());
  const match = await deps.hasher.verify(passwordHash, input.password);
  if (match === false || !user?.passwordHash || isDeletedAccount(user) || isForeign(caller, user)) {
    await deps.db.asSystem('login', (tx) => recordFailure(tx, caller, input.email, user));
    return refuse('invalid_credentials', { detail: 'Check the address and the password, then try again.' });
  }
  await forgetAttempt();
  if (!isAtHome(caller.ownHost, user)) {
    const loginUrl = `${deps.baseUrl}/login`;
    return refuse('role_forbidden', { detail: `This address is for your clients. Your team logs in at ${loginUrl}.`, loginUrl });
  }
  const hashed = match === 'as_typed' ? await deps.hasher.hash(input.password) : null;
  return deps.db.asSystem('login', async (tx) => {
    const opened = await openByPassword(deps, tx, caller, user);
    if ('ssoUrl' in opened) return refuse('sso_required', { detail: 'Your agency logs in through its identity provider.', ...opened });
    if (hashed !== null) await replacePassword(tx, user.id, passwordHash, hashed);
    return opened;
  });
}

/**
 * Whether the user has nothing to do with the host of the request. Then a correct password is answered like a wrong one. The team of the
 * host's agency is not foreign: it reads where to log in instead.
 */
function isForeign({ ownHost }: Caller, user: SessionRow): boolean {
  return !isAtHome(ownHost, user) && (user.role !== 'PARTNER' || user.partnerId !== ownHost?.partnerId);
}

/** Written for unknown addresses too, in the log of staff, so that both cases take the same time. */
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
