import { deletionObstacle, mayDecide, purgeAfter } from '@partner-portal/core/account/account.ts';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { suspendClientForDeletion } from '#modules/2-tenancy/clients/index.ts';
import { suspendPartnerForDeletion } from '#modules/2-tenancy/partners/index.ts';
import { type Account, type DecisionTx, inDecision, lockAccount } from '../account.ts';
import type { AccountsDeps } from '../deps.ts';
import { publishResolved, publishSuspended } from '../publish.ts';
import { type DeletionRow, findDeletion, lockDeletion, writeDeletionDecision } from './store-deletions.ts';
import { toRecord } from './to-record.ts';

/** Answers a reactivation that waits; its lock comes before those of deletion and account. */
type AnswerReactivations = (tx: Tx, account: { partnerId: string; clientId: string | null; at: Date }) => Promise<void>;

/**
 * Approves a deletion in one transaction: the account is suspended now and purged when `purgeAfter` has passed. Agents, schedules, single
 * sign-on and webhooks stay in their rows as they are, so that a reactivation restores all of them.
 */
export function approveDeletion(
  deps: AccountsDeps,
  caller: RequestContext,
  { id, note, answerReactivations }: { id: string; note: string | null; answerReactivations: AnswerReactivations },
) {
  const { actor, now } = caller;
  return inDecision(deps.db, actor, async (scoped) => {
    const { tx } = scoped;
    const known = await findDeletion(tx, id);
    if (known?.status === 'pending') await answerReactivations(tx, { partnerId: known.partnerId, clientId: known.clientId, at: now });
    const request = await takePending(tx, actor, id);
    const account = await lockAccount(tx, request);
    const obstacle = deletionObstacle(account);
    if (obstacle !== null) return refuse('invalid_state', { detail: obstacle });
    const until = purgeAfter(now, deps.deletionDays);
    const { role, userId: by } = actor;
    await writeDeletionDecision(tx, id, {
      status: 'approved',
      at: now,
      by,
      role,
      note,
      purgeAfter: until,
      previousStatus: account.status,
    });
    await suspend(scoped, account, { reason: request.reason, at: now });
    const cause = { baseUrl: deps.baseUrl, actor, account };
    await publishResolved(tx, cause, request, { resolution: 'approved', note, purgeAfter: until });
    await publishSuspended(tx, cause, id, now, until);
    await audit(tx, caller, request, 'deletion_request.approved', {
      status: ['pending', 'approved'],
      account: [account.status, 'suspended'],
      purgeAfter: [null, until],
      ...(note === null ? {} : { note: [null, note] }),
    });
    return readRecord(tx, id);
  });
}

/** Rejects a deletion with a note for the side that requested it. */
export function rejectDeletion(deps: AccountsDeps, caller: RequestContext, id: string, note: string) {
  const { actor, now } = caller;
  return inDecision(deps.db, actor, async ({ tx }) => {
    const request = await takePending(tx, actor, id);
    await writeDeletionDecision(tx, id, { status: 'rejected', at: now, by: actor.userId, role: actor.role, note });
    const { scope, partnerId, clientId, accountName: name, partnerName } = request;
    const account = { scope, partnerId, clientId, name, partnerName };
    await publishResolved(tx, { baseUrl: deps.baseUrl, actor, account }, request, { resolution: 'rejected', note });
    await audit(tx, caller, request, 'deletion_request.rejected', { status: ['pending', 'rejected'], note: [null, note] });
    return readRecord(tx, id);
  });
}

async function takePending(tx: Tx, actor: Actor, id: string): Promise<DeletionRow> {
  const request = await lockDeletion(tx, id);
  if (!request) return refuse('not_found');
  if (!mayDecide(actor.role, request.scope))
    return refuse('role_forbidden', { detail: 'Only platform staff can decide this for an agency’s account.' });
  if (request.status !== 'pending') return refuse('invalid_state', { detail: `This request is already ${request.status}.` });
  return request;
}

async function suspend({ tx, system }: DecisionTx, account: Account, suspension: { reason: string; at: Date }): Promise<void> {
  const { partnerId, clientId } = account;
  if (clientId !== null) return suspendClientForDeletion(tx, clientId, suspension);
  if (system === null) return refuse('role_forbidden');
  return suspendPartnerForDeletion(system, partnerId, suspension);
}

async function readRecord(tx: Tx, id: string) {
  const row = await findDeletion(tx, id);
  return row ? toRecord(row) : refuse('not_found');
}

async function audit(
  tx: Tx,
  caller: RequestContext,
  { id, partnerId, clientId, accountName }: DeletionRow,
  action: AuditAction,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'deletion_request', id, label: accountName };
  await recordAudit(tx, { partnerId, clientId, actor: caller.actor, action, target, changes, origin: originOf(caller) });
}
