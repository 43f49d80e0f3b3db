import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { type AgentRequestTrigger, nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { requestAnswer } from './answer.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { findRequest, lockRequest, type RequestRow, type RequestTurn, writeTurn } from './store.ts';

export type Turn = {
  trigger: AgentRequestTrigger;
  /** Name of the audit line. */
  action: AuditAction;
  note?: string | undefined;
  /** What else changes with the state; may refuse. */
  change?: (tx: Tx, before: RequestRow) => Promise<Partial<RequestTurn>> | Partial<RequestTurn>;
  /** What follows in the same transaction, about the row as it is now. */
  follow?: (tx: Tx, after: RequestRow) => Promise<void>;
};

/** One person moves one request: locked, decided by the machine, written with its line, audited, announced. Anything else is 409. */
export async function turnRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, turn: Turn) {
  const { actor } = context;
  return inScope(deps.db, actor, undefined, async (tx) => {
    const before = await lockRequest(tx, id);
    if (!before) return refuse('not_found');
    const to = nextAgentRequestStatus(before.kind, before.status, turn.trigger);
    if (to === null) return refuse('invalid_state', { detail: `This request is ${WORDS[before.status]}.` });
    const change = (await turn.change?.(tx, before)) ?? {};
    const by = { type: actor.role === 'ADMIN' ? ('staff' as const) : ('user' as const), id: actor.userId };
    const note = turn.note || null;
    await writeTurn(tx, before, { to, by, note, ...change });
    await recordAudit(tx, {
      partnerId: before.partnerId,
      clientId: before.clientId,
      actor,
      action: turn.action,
      target: { type: 'agent_request', id, label: before.title },
      changes: { status: [before.status, to], ...(note === null ? {} : { note: [null, note] }) },
      origin: originOf(context),
    });
    const after = await findRequest(tx, id);
    if (!after) throw new Error('A request vanished while it was locked.');
    await turn.follow?.(tx, after);
    return requestAnswer(deps, tx, after, actor);
  });
}

const WORDS: { readonly [status in RequestRow['status']]: string } = {
  suggested: 'a suggestion that was not passed on yet',
  submitted: 'submitted and waits for a decision',
  approved: 'approved already',
  provisioning: 'being installed',
  provisioning_failed: 'waiting after a failed installation',
  fulfilled: 'fulfilled already',
  rejected: 'rejected already',
  cancelled: 'cancelled already',
  declined: 'declined already',
};
