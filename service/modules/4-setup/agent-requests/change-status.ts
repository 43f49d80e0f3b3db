import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { type AgentRequestTrigger, nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { toRequest } from './records.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { findRequest, lockRequest, type RequestRow, type StatusChange, writeStatus } from './store.ts';

export type Transition = {
  trigger: AgentRequestTrigger;
  /** Action of the audit entry. */
  action: AuditAction;
  note?: string | undefined;
  /** Other columns to change; may refuse. */
  change?: (tx: Tx, before: RequestRow) => Promise<Partial<StatusChange>> | Partial<StatusChange>;
  /** Runs in the same transaction with the changed row. */
  follow?: (tx: Tx, after: RequestRow) => Promise<void>;
};

/** Changes the status of one request: locked, decided by the state machine, written with its timeline entry and audited. Refuses others with 409. */
export async function changeStatus(deps: AgentRequestsDeps, context: RequestContext, id: string, transition: Transition) {
  const { actor } = context;
  return inScope(deps.db, actor, undefined, async (tx) => {
    const before = await lockRequest(tx, id);
    if (!before) return refuse('not_found');
    const to = nextAgentRequestStatus(before.kind, before.status, transition.trigger);
    if (to === null) return refuse('invalid_state', { detail: `This request is ${STATUS_TEXTS[before.status]}.` });
    const change = (await transition.change?.(tx, before)) ?? {};
    const by = { type: actor.role === 'ADMIN' ? ('staff' as const) : ('user' as const), id: actor.userId };
    const note = transition.note || null;
    await writeStatus(tx, before, { to, by, note, ...change });
    await recordAudit(tx, {
      partnerId: before.partnerId,
      clientId: before.clientId,
      actor,
      action: transition.action,
      target: { type: 'agent_request', id, label: before.title },
      changes: { status: [before.status, to], ...(note === null ? {} : { note: [null, note] }) },
      origin: originOf(context),
    });
    const after = await findRequest(tx, id);
    if (!after) throw new Error('A request vanished while it was locked.');
    await transition.follow?.(tx, after);
    return toRequest(deps, tx, after, actor);
  });
}

const STATUS_TEXTS: { readonly [status in RequestRow['status']]: string } = {
  suggested: 'a suggestion that was not submitted yet',
  submitted: 'submitted and waiting for a decision',
  approved: 'already approved',
  provisioning: 'being installed',
  provisioning_failed: 'waiting after a failed installation',
  fulfilled: 'already fulfilled',
  rejected: 'already rejected',
  cancelled: 'already cancelled',
  declined: 'already declined',
};
