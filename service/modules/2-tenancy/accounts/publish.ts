import type { DeletionRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import type { Account } from './account.ts';

type Cause = { baseUrl: string; actor: Actor; account: Omit<Account, 'status' | 'suspensionCause'> };
type Request = { id: string; reason: string };

/** Common members of all events about an account. */
function common({ baseUrl, actor, account }: Cause) {
  const { scope, partnerId, clientId, name, partnerName } = account;
  const page = clientId === null ? '/dashboard/settings/account' : `/dashboard/clients/${clientId}`;
  return {
    partnerId,
    partnerName,
    actor:
      actor.role === 'ADMIN'
        ? { type: 'staff' as const, id: actor.userId }
        : { type: 'user' as const, id: actor.userId, email: actor.email },
    portalUrl: `${baseUrl}${page}`,
    account: { type: scope, id: clientId ?? partnerId, name },
  };
}

export async function publishSubmitted(tx: Tx, cause: Cause, { id, reason }: Request): Promise<void> {
  const { partnerId, clientId, scope } = cause.account;
  await publishEvent(tx, {
    partnerId,
    clientId,
    type: 'deletion_request.submitted',
    data: { ...common(cause), deletionRequest: { id, scope, reason, status: 'pending' satisfies DeletionRequestStatus } },
  });
}

type Resolution = { note: string | null } & ({ resolution: 'approved'; purgeAfter: Date } | { resolution: 'rejected' });

export async function publishResolved(tx: Tx, cause: Cause, { id, reason }: Request, decided: Resolution): Promise<void> {
  const { partnerId, clientId, scope } = cause.account;
  const { resolution, note } = decided;
  await publishEvent(tx, {
    partnerId,
    clientId,
    type: 'deletion_request.resolved',
    data: {
      ...common(cause),
      deletionRequest: { id, scope, reason, status: resolution },
      resolution,
      note,
      ...(decided.resolution === 'approved' ? { purgeAfter: decided.purgeAfter.toISOString() } : {}),
    },
  });
}

/** The account is suspended because its deletion was approved. */
export async function publishSuspended(tx: Tx, cause: Cause, requestId: string, at: Date, purgeAfter: Date): Promise<void> {
  const { partnerId, clientId } = cause.account;
  await publishEvent(tx, {
    partnerId,
    clientId,
    type: 'account.suspended',
    data: {
      ...common(cause),
      reason: 'deletion_approved',
      suspendedAt: at.toISOString(),
      deletionRequestId: requestId,
      reactivation: { allowed: true, until: purgeAfter.toISOString() },
    },
  });
}
