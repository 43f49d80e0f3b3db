import { type AccountKey, mayDecide, reactivatedStatus, reactivationObstacle } from '@partner-portal/core/account/account.ts';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { reactivateClient } from '#modules/2-tenancy/clients/index.ts';
import { reactivatePartner } from '#modules/2-tenancy/partners/index.ts';
import { type Account, type DecisionTx, inDecision, lockAccount } from '../account.ts';
import { cancelApproved, type DeletionRow, hasPurgeBegun, lockOpenDeletion } from '../deletion/store-deletions.ts';
import type { AccountsDeps } from '../deps.ts';
import { findReactivation, lockReactivation, type ReactivationRow, writeReactivationDecision } from './store-reactivations.ts';
import { toRecord } from './to-record.ts';

/**
 * Reactivates an account in one transaction; an approved deletion of it is cancelled. Nothing else was changed by the suspension, so all of
 * it works as before. Refuses `invalid_state` once the purge has begun.
 */
export function approveReactivation({ db }: AccountsDeps, caller: RequestContext, id: string, note: string | null) {
  const { actor, now } = caller;
  return inDecision(db, actor, async (scoped) => {
    const { tx } = scoped;
    const request = await takePending(tx, actor, id);
    const deletion = await lockApprovedDeletion(tx, request);
    const account = await lockAccount(tx, request);
    const decision = { status: 'approved', at: now, by: actor.userId, role: actor.role, note } as const;
    if (account.status === 'active') {
      // Resumed by hand or by a payment meanwhile: nothing is left to do.
      await writeReactivationDecision(tx, id, decision);
      await audit(tx, caller, request, 'reactivation_request.approved', { status: ['pending', 'approved'] });
      return readRecord(tx, id);
    }
    refuseUnless(account, deletion);
    await writeReactivationDecision(tx, id, decision);
    if (deletion) await cancelApproved(tx, deletion.id);
    const restored = deletion ? reactivatedStatus(deletion.previousStatus) : 'active';
    await reactivate(scoped, account, restored, now);
    await audit(tx, caller, request, 'reactivation_request.approved', {
      status: ['pending', 'approved'],
      account: [account.status, restored],
      ...(deletion ? { deletion: ['approved', 'cancelled'] } : {}),
      ...(note === null ? {} : { note: [null, note] }),
    });
    return readRecord(tx, id);
  });
}

/** Rejects a reactivation with a note for the side that requested it; the account stays suspended, and an approved deletion goes on. */
export function rejectReactivation({ db }: AccountsDeps, caller: RequestContext, id: string, note: string) {
  const { actor, now } = caller;
  return inDecision(db, actor, async ({ tx }) => {
    const request = await takePending(tx, actor, id);
    await writeReactivationDecision(tx, id, { status: 'rejected', at: now, by: actor.userId, role: actor.role, note });
    await audit(tx, caller, request, 'reactivation_request.rejected', {
      status: ['pending', 'rejected'],
      note: [null, note],
      // The notice says when the deletion that goes on is due.
      ...(request.purgeAfter === null ? {} : { purgeAfter: [request.purgeAfter, request.purgeAfter] }),
    });
    return readRecord(tx, id);
  });
}

async function takePending(tx: Tx, actor: Actor, id: string): Promise<ReactivationRow> {
  const request = await lockReactivation(tx, id);
  if (!request) return refuse('not_found');
  if (!mayDecide(actor.role, request.scope))
    return refuse('role_forbidden', { detail: 'Only platform staff can decide this for an agency’s account.' });
  if (request.status !== 'pending') return refuse('invalid_state', { detail: `This request is already ${request.status}.` });
  return request;
}

/** Locks the deletion that suspended the account; undefined when none is approved. */
async function lockApprovedDeletion(tx: Tx, key: AccountKey): Promise<DeletionRow | undefined> {
  const deletion = await lockOpenDeletion(tx, key);
  if (deletion?.status !== 'approved') return undefined;
  if (await hasPurgeBegun(tx, deletion.id))
    return refuse('invalid_state', { detail: 'The account is being deleted and can no longer be reactivated.' });
  return deletion;
}

function refuseUnless(account: Account, deletion: DeletionRow | undefined): void {
  const obstacle = reactivationObstacle(account);
  if (obstacle !== null) refuse('invalid_state', { detail: obstacle });
  // The deletion was approved after its row was looked for.
  if (account.suspensionCause === 'deletion_approved' && !deletion)
    refuse('invalid_state', { detail: 'The deletion of this account was decided at the same moment. Try again.' });
}

async function reactivate({ tx, system }: DecisionTx, account: Account, status: 'active' | 'archived', at: Date): Promise<void> {
  const { partnerId, clientId } = account;
  if (clientId !== null)
    return reactivateClient(tx, { partnerId, clientId, status, countsAgain: account.suspensionCause === 'deletion_approved', at });
  if (system === null) return refuse('role_forbidden');
  return reactivatePartner(system, partnerId, at);
}

async function readRecord(tx: Tx, id: string) {
  const row = await findReactivation(tx, id);
  return row ? toRecord(row) : refuse('not_found');
}

async function audit(
  tx: Tx,
  caller: RequestContext,
  { id, partnerId, clientId, accountName }: ReactivationRow,
  action: AuditAction,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'reactivation_request', id, label: accountName };
  await recordAudit(tx, { partnerId, clientId, actor: caller.actor, action, target, changes, origin: originOf(caller) });
}
