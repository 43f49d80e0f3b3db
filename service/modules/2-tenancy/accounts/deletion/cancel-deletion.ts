import { mayWithdraw } from '@partner-portal/core/account/account.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { AccountsDeps } from '../deps.ts';
import { findDeletion, lockDeletion, writeDeletionDecision } from './store-deletions.ts';
import { toRecord } from './to-record.ts';

/** Withdraws a request while it is pending; anyone of the requesting side who may request can. */
export async function cancelDeletion({ db }: AccountsDeps, caller: RequestContext, id: string) {
  const { actor, now } = caller;
  return db.asTenant(actor, async (tx) => {
    const request = await lockDeletion(tx, id);
    if (!request) return refuse('not_found');
    if (!mayWithdraw(actor.role, request.requesterRole))
      return refuse('role_forbidden', { detail: 'Only the party that requested the deletion can withdraw it.' });
    if (request.status !== 'pending') return refuse('invalid_state', { detail: `This request is already ${request.status}.` });
    await writeDeletionDecision(tx, id, { status: 'cancelled', at: now, by: actor.userId, role: actor.role, note: null });
    await recordAudit(tx, {
      partnerId: request.partnerId,
      clientId: request.clientId,
      actor,
      action: 'deletion_request.cancelled',
      target: { type: 'deletion_request', id, label: request.accountName },
      changes: { status: ['pending', 'cancelled'] },
      origin: originOf(caller),
    });
    const row = await findDeletion(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}
