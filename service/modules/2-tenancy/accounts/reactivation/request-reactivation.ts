import { type AccountKey, reactivationObstacle } from '@partner-portal/core/account/account.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { lockAccount } from '../account.ts';
import type { AccountsDeps } from '../deps.ts';
import { findReactivation, insertReactivation } from './store-reactivations.ts';
import { toRecord } from './to-record.ts';

/** Requests that a suspended account is reactivated: the own one, or for an agency that of a client. One is pending at a time. */
export async function requestReactivation(
  { db }: AccountsDeps,
  caller: RequestContext,
  order: { message: string; clientId?: string | undefined },
) {
  const { actor, now } = caller;
  return db.asTenant(actor, async (tx) => {
    const { name, ...account } = await findSuspended(tx, actor, order.clientId);
    const id = newId();
    const { userId: requestedBy, role: requesterRole } = actor;
    const isNew = await insertReactivation(tx, { ...account, id, message: order.message, requestedBy, requesterRole, at: now });
    if (!isNew) return refuse('already_pending', { detail: 'A reactivation of this account has already been requested.' });
    await recordAudit(tx, {
      partnerId: account.partnerId,
      clientId: account.clientId,
      actor,
      action: 'reactivation_request.submitted',
      target: { type: 'reactivation_request', id, label: name },
      changes: { message: [null, order.message] },
      origin: originOf(caller),
    });
    const row = await findReactivation(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}

async function findSuspended(tx: TenantTx, actor: Actor, requested: string | undefined): Promise<AccountKey & { name: string }> {
  const { partnerId } = actor;
  if (actor.clientId !== null && requested !== undefined && requested !== actor.clientId) return refuse('not_found');
  const clientId = actor.clientId ?? requested ?? null;
  const partner = await findPartnerRef(tx, partnerId);
  const client = clientId === null ? null : await findClientRef(tx, clientId);
  if (!partner || client === undefined) return refuse('not_found');
  if (client !== null && partner.status !== 'active')
    return refuse('invalid_state', { detail: 'The agency’s account is suspended. Only the agency can request its reactivation.' });
  const key = { scope: client ? ('client' as const) : ('partner' as const), partnerId, clientId };
  // Until the commit it is not resumed: that would leave the request pending.
  const { status, name } = await lockAccount(tx, key);
  const obstacle = reactivationObstacle({ status });
  if (obstacle !== null) return refuse('invalid_state', { detail: obstacle });
  return { ...key, name };
}
