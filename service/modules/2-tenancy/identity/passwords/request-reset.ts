import { hashToken, newToken } from '#platform/one-time-token.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';
import { newId } from '#platform/ids.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { portalBaseUrlOf } from '#modules/1-ledger/mail/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { findKnownDevice } from '../known-device.ts';
import { type Caller, isDeletedAccount } from '../open-session.ts';
import { findUserByEmail } from '../store.ts';
import { insertResetRequest, putReset, takeResetRequest } from './store-passwords.ts';

export const sendResetLinkJob = defineJob('identity.send-reset-link', z.object({ requestId: z.uuid() }));

/**
 * Accepts a request for a reset link. The work is the same for every address, also in time; a job looks up the user afterwards. Requests
 * above the limit of an address are dropped with the same response. A device known for the user has a limit of its own.
 */
export async function requestReset(
  deps: Pick<IdentityDeps, 'db' | 'limits' | 'sessions'>,
  caller: Caller,
  { email }: { email: string },
): Promise<void> {
  const deviceId = await findKnownDevice(deps, caller, (tx) => findUserByEmail(tx, email));
  if (deviceId === null) await deps.limits.require('passwordResetOfAddress', caller.address);
  const { exceeded } =
    deviceId === null ? await deps.limits.count('passwordReset', email) : await deps.limits.count('passwordResetOfDevice', deviceId);
  if (exceeded) return;
  const id = newId();
  await deps.db.asSystem('login', async (tx) => {
    await insertResetRequest(tx, { id, email, at: caller.now });
    await enqueue(tx, sendResetLinkJob, { requestId: id });
  });
}

/** Mails the link when the address has a user who may log in. It is valid for 60 minutes and replaces older ones. */
export async function sendResetLink(deps: Pick<IdentityDeps, 'db' | 'queueMail' | 'baseUrl'>, requestId: string): Promise<void> {
  const token = newToken();
  await deps.db.asSystem('login', async (tx) => {
    const request = await takeResetRequest(tx, requestId);
    const user = request && (await findUserByEmail(tx, request.email));
    if (!user || user.status !== 'active' || isDeletedAccount(user)) return;
    const expiresAt = new Date(request.createdAt.getTime() + LIMITS.passwordResetMinutes * 60_000);
    await putReset(tx, { userId: user.id, tokenHash: hashToken(token), expiresAt });
    const { id, partnerId, clientId, email, fullName } = user;
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor: { kind: 'system' },
      action: 'user.password_reset_requested',
      target: { type: 'user', id, label: email },
    });
    // A fragment is not sent to servers, so the token reaches no log and no referrer.
    const baseUrl = user.role === 'CLIENT' ? await portalBaseUrlOf(tx, deps.baseUrl, partnerId) : deps.baseUrl;
    const resetUrl = `${baseUrl}/reset-password#${token}`;
    await deps.queueMail(tx, {
      partnerId,
      to: email,
      userId: id,
      kind: 'password_reset',
      data: { resetUrl, expiresAt, fullName: fullName || null },
    });
  });
}
