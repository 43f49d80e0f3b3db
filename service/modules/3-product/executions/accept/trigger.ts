import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import { readIdempotencyKey } from '#platform/http/idempotency.ts';
import { type Acceptor, refuseOutcome } from './accept.ts';

export type TriggerLimit = 'clientTrigger' | 'clientTriggerOfAll' | 'clientTriggerOfAllHour';
export type TriggerDeps = { db: Database; acceptor: Acceptor; limits: RateLimits<TriggerLimit> };
type Context = Pick<RequestContext, 'actor' | 'requestId' | 'address' | 'userAgent' | 'header'>;

/** Starts an execution by hand. One statement validates the session; the batch checks that the workflow is in the caller's scope. */
export async function triggerWorkflow(
  deps: TriggerDeps,
  context: Context,
  workflowId: string,
  input: { [key: string]: Json },
  source: 'trigger' | 'test' = 'trigger',
) {
  const { actor } = context;
  const idempotencyKey = readIdempotencyKey(context);
  await deps.db.assertSession(actor);
  await countTrigger(deps, actor);
  const result = await deps.acceptor.accept({
    workflowId,
    source,
    body: { input },
    idempotencyKey,
    comparesBody: true,
    scope: scopeOf(actor),
    audit: auditOf(context, 'workflow.triggered', {}),
  });
  if (result.outcome !== 'accepted' && result.outcome !== 'replayed') refuseOutcome(result);
  return { accepted: true as const, executionId: result.executionId };
}

/** Counts a run that a user of a client starts: its texts are at its agency's cost. Staff and agency have the limits of all their requests. */
async function countTrigger({ limits }: TriggerDeps, { clientId, userId }: Actor): Promise<void> {
  if (clientId === null) return;
  await limits.require('clientTrigger', userId);
  await limits.require('clientTriggerOfAll', clientId);
  await limits.require('clientTriggerOfAllHour', clientId);
}

/** Returns whose workflows the actor may start: staff any, partner and client their own. */
export function scopeOf(actor: Actor): { partnerId: string | null; clientId: string | null } {
  return actor.role === 'ADMIN' ? { partnerId: null, clientId: null } : { partnerId: actor.partnerId, clientId: actor.clientId };
}

/** Returns the audit entry that accept_executions writes with the execution. */
export function auditOf(context: Context, action: AuditAction, changes: Record<string, [unknown, unknown]>): Record<string, unknown> {
  const { actor } = context;
  return {
    actorType: actor.role === 'ADMIN' ? 'staff' : 'user',
    actorId: actor.userId,
    actorEmail: actor.email,
    actorVia: actor.actingUserId,
    action,
    changes,
    ip: context.address,
    userAgent: context.userAgent || null,
    requestId: context.requestId,
  };
}
