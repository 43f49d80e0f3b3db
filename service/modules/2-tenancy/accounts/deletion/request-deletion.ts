import type { AccountScope } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import type { AccountsDeps } from '../deps.ts';
import { publishSubmitted } from '../publish.ts';
import { findDeletion, insertDeletion } from './store-deletions.ts';
import { toRecord } from './to-record.ts';

type Order = { scope: AccountScope; clientId?: string | undefined; reason: string; confirmName: string };

/** Requests the deletion of an account, confirmed by its name. Refuses `already_pending` while one is pending or approved. */
export async function requestDeletion({ db, baseUrl }: AccountsDeps, caller: RequestContext, order: Order) {
  const { actor, now } = caller;
  const clientId = clientOf(actor, order);
  return db.asTenant(actor, async (tx) => {
    const account = await findAccount(tx, actor.partnerId, clientId);
    const { name } = account;
    if (order.confirmName !== name.trim()) refuseField('confirmName', 'mismatch', 'Type the name of the account exactly as it is shown.');
    const id = newId();
    const { partnerId, userId: requestedBy, role: requesterRole } = actor;
    const { scope, reason } = order;
    const isNew = await insertDeletion(tx, {
      id,
      scope,
      partnerId,
      clientId,
      accountName: name,
      reason,
      requestedBy,
      requesterRole,
      at: now,
    });
    if (!isNew) return refuse('already_pending', { detail: 'The deletion of this account has already been requested.' });
    await publishSubmitted(tx, { baseUrl, actor, account: { scope, partnerId, clientId, ...account } }, { id, reason });
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor,
      action: 'deletion_request.submitted',
      target: { type: 'deletion_request', id, label: name },
      changes: { reason: [null, reason] },
      origin: originOf(caller),
    });
    const row = await findDeletion(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}

/** Returns the client the order is about; null for the agency itself. */
function clientOf(actor: Actor, { scope, clientId }: Order): string | null {
  if (actor.clientId !== null) {
    if (scope === 'partner') return refuse('role_forbidden', { detail: 'Only your agency can request the deletion of its account.' });
    if (clientId !== undefined && clientId !== actor.clientId) return refuse('not_found');
    return actor.clientId;
  }
  if (scope === 'client') return clientId ?? refuseField('clientId', 'required', 'Name the client.');
  if (clientId !== undefined) refuseField('clientId', 'unexpected', 'Leave the client out, or use the scope "client".');
  return null;
}

async function findAccount(tx: TenantTx, partnerId: string, clientId: string | null): Promise<{ name: string; partnerName: string }> {
  const partner = await findPartnerRef(tx, partnerId);
  if (!partner) return refuse('not_found');
  if (clientId === null) return { name: partner.name, partnerName: partner.name };
  const client = await findClientRef(tx, clientId);
  return client ? { name: client.name, partnerName: partner.name } : refuse('not_found');
}
