import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { toString as toQrCode } from 'qrcode';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { ownEntryOf } from '../own-entry.ts';
import type { IdentityDeps } from '../deps.ts';
import { findKnownDevice } from '../known-device.ts';
import { guardCodes } from './guard-codes.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { openTotp, sealTotp } from './seal-totp.ts';
import { findSessionUser, findUserById, lockUser } from '../store.ts';
import { endOtherSessions } from '../store-sessions.ts';
import { lockMfa, type MfaRow, putPendingSecret, replaceRecoveryCodes, useStep, switchMfaOff, switchMfaOn } from './store-mfa.ts';
import { newTotpSecret, stepOfCode, totpUrl } from './totp.ts';

type Deps = Pick<IdentityDeps, 'db' | 'dataKeys' | 'limits' | 'queueMail' | 'sessions'>;

/** Creates a secret for an authenticator app, effective once a code is confirmed. Calling it again replaces an unconfirmed secret. */
export async function setUpMfa(deps: Deps, caller: RequestContext) {
  const { actor } = caller;
  const secret = newTotpSecret();
  const issuer = await deps.db.asTenant(actor, async (tx) => {
    if (!(await putPendingSecret(tx, actor, await sealTotp(deps.dataKeys, tx, actor, secret))))
      return refuse('already_exists', { detail: 'Two-step login is already on. Turn it off first to set up another app.' });
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'mfa.setup_started' });
    return (await findSessionUser(tx, actor.userId))?.partnerName;
  });
  const otpauthUrl = totpUrl(secret, { issuer: issuer ?? PRODUCT_NAME, email: actor.email });
  return { secret, otpauthUrl, qrSvg: await toQrCode(otpauthUrl, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) };
}

/** Enables the second step with a code of the app, and ends the user's other sessions: they were opened without it. Returns the recovery codes once; only their hashes are stored. */
export async function enableMfa(deps: Deps, caller: RequestContext, { token }: { token: string }) {
  const { actor, now } = caller;
  const recoveryCodes = newRecoveryCodes();
  await withCode(deps, caller, async (tx, mfa) => {
    if (mfa?.enabledAt) return refuse('already_exists', { detail: 'Two-step login is already on.' });
    if (!mfa) return refuse('invalid_state', { detail: 'Start the setup first: there is no secret to confirm yet.' });
    if (!(await isRight(deps, tx, mfa, token, now))) return false;
    await switchMfaOn(tx, actor, hashesOf(actor.userId, recoveryCodes), now);
    await endOtherSessions(tx, actor.userId, actor.jti);
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'mfa.enabled' });
    await deps.queueMail(tx, { ...mailTo(caller), kind: 'mfa_enabled', data: { at: now } });
    return true;
  });
  return { mfaEnabled: true as const, recoveryCodes };
}

/** Disables the second step with a current code, and ends the user's other sessions; recovery codes are not accepted. */
export async function disableMfa(deps: Deps, caller: RequestContext, { token }: { token: string }) {
  const { actor, now } = caller;
  await withCode(deps, caller, async (tx, mfa) => {
    if (!mfa?.enabledAt) return refuse('invalid_state', { detail: 'Two-step login is off.' });
    if (!(await isRight(deps, tx, mfa, token, now))) return false;
    await switchMfaOff(tx, actor.userId);
    await endOtherSessions(tx, actor.userId, actor.jti);
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'mfa.disabled' });
    await deps.queueMail(tx, { ...mailTo(caller), kind: 'mfa_disabled', data: { at: now } });
    return true;
  });
  return { mfaEnabled: false as const };
}

/** Replaces the recovery codes after a current code of the app; the new ones are shown once. */
export async function renewRecoveryCodes(deps: Deps, caller: RequestContext, { token }: { token: string }) {
  const { actor, now } = caller;
  const recoveryCodes = newRecoveryCodes();
  await withCode(deps, caller, async (tx, mfa) => {
    if (!mfa?.enabledAt) return refuse('invalid_state', { detail: 'Two-step login is off.' });
    if (!(await isRight(deps, tx, mfa, token, now))) return false;
    await replaceRecoveryCodes(tx, actor, hashesOf(actor.userId, recoveryCodes));
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'mfa.recovery_codes_renewed' });
    await deps.queueMail(tx, { ...mailTo(caller), kind: 'recovery_codes_renewed', data: { at: now } });
    return true;
  });
  return { recoveryCodes };
}

/** Wrong codes count together with those of sign-ins, so a session does not allow guessing. */
async function withCode(deps: Deps, caller: RequestContext, work: (tx: Tx, mfa: MfaRow | undefined) => Promise<boolean>) {
  const { userId } = caller.actor;
  const deviceId = await findKnownDevice(deps, caller, (tx) => findUserById(tx, userId), { secondStep: true });
  const isDone = await guardCodes(
    deps.limits,
    { userId, deviceId },
    () =>
      deps.db.asTenant(caller.actor, async (tx) => {
        await lockUser(tx, userId);
        return work(tx, await lockMfa(tx, userId));
      }),
    (result) => !result,
  );
  if (!isDone) refuse('invalid_mfa_code', { detail: 'The code is not correct. It may have just changed: use the newest one.' });
}

async function isRight(deps: Deps, tx: Tx, mfa: MfaRow, token: string, now: Date): Promise<boolean> {
  const step = stepOfCode(openTotp(deps.dataKeys, mfa, mfa), token, now);
  return step !== null && (await useStep(tx, mfa.userId, step));
}

const hashesOf = (userId: string, codes: readonly string[]): Buffer[] => codes.map((code) => hashRecoveryCode(userId, code));

function mailTo({ actor }: RequestContext) {
  return { partnerId: actor.partnerId, to: actor.email, userId: actor.userId };
}
