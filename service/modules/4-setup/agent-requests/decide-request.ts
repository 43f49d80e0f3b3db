import { refuseBadConfig } from '#modules/3-product/agents/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { announceResolved, announceSubmitted } from './announce.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { queueInstalls } from './install/install-job.ts';
import { findWorkflow } from './store.ts';
import { turnRequest } from './turn-request.ts';

/** The agency passes its client's suggestion on to staff. */
export function submitRequest(deps: AgentRequestsDeps, context: RequestContext, id: string) {
  return turnRequest(deps, context, id, {
    trigger: 'submit',
    action: 'agent_request.submitted',
    follow: (tx, after) => announceSubmitted(deps, tx, after, context.actor),
  });
}

export function declineRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, note: string | undefined) {
  return turnRequest(deps, context, id, {
    trigger: 'decline',
    action: 'agent_request.declined',
    note,
    change: () => ({ decisionNote: note || undefined }),
  });
}

export function cancelRequest(deps: AgentRequestsDeps, context: RequestContext, id: string) {
  return turnRequest(deps, context, id, { trigger: 'cancel', action: 'agent_request.cancelled' });
}

/**
 * Approves. A template's agent is installed by a job as soon as the instance is free, with the approver as acting user; with
 * `provisionNow: false` it waits until staff start it. Two who approve at once: one does, the other is told.
 */
export function approveRequest(
  deps: AgentRequestsDeps,
  context: RequestContext,
  id: string,
  input: { note?: string | undefined; config?: Record<string, unknown> | undefined; provisionNow: boolean },
) {
  return turnRequest(deps, context, id, {
    trigger: 'approve',
    action: 'agent_request.approved',
    note: input.note,
    change: (_tx, before) => {
      const template = before.templateName === null ? undefined : deps.templateOf(before.templateName);
      if (input.config !== undefined) {
        if (!template) refuseField('config', 'unknown', 'Only an agent of the catalog has settings.');
        refuseBadConfig(template, input.config);
      }
      return {
        reviewedBy: context.actor.userId,
        decisionNote: input.note || undefined,
        config: input.config && { ...before.config, ...input.config },
        dueAt: input.provisionNow && before.kind === 'template' ? context.now : null,
      };
    },
    follow: async (tx, after) => {
      await announceResolved(deps, tx, after, context.actor, { resolution: 'approved', note: input.note || null });
      if (after.dueAt !== null) await queueInstalls(tx, [id]);
    },
  });
}

/** The note is what the agency reads, so there has to be one. */
export function rejectRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, note: string) {
  return turnRequest(deps, context, id, {
    trigger: 'reject',
    action: 'agent_request.rejected',
    note,
    change: () => ({ reviewedBy: context.actor.userId, decisionNote: note }),
    follow: (tx, after) => announceResolved(deps, tx, after, context.actor, { resolution: 'rejected', note }),
  });
}

/** Installs again after a failure, or what was approved for later. Whoever asks is the acting user from here on. */
export function retryRequest(deps: AgentRequestsDeps, context: RequestContext, id: string) {
  return turnRequest(deps, context, id, {
    trigger: 'start',
    action: 'agent_request.retried',
    change: () => ({ reviewedBy: context.actor.userId, dueAt: context.now }),
    follow: (tx) => queueInstalls(tx, [id]),
  });
}

/** A custom request is fulfilled by a workflow that staff built: the client's own, or one for the whole agency. */
export function fulfillRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, workflowId: string) {
  return turnRequest(deps, context, id, {
    trigger: 'attach',
    action: 'agent_request.fulfilled',
    change: async (tx, before) => {
      const workflow = await findWorkflow(tx, workflowId);
      if (workflow?.partnerId !== before.partnerId) return refuse('not_found', { detail: 'This agency has no such workflow.' });
      if (workflow.clientId !== null && workflow.clientId !== before.clientId)
        refuseField('workflowId', 'other_client', 'This workflow belongs to another client of the agency.');
      return { workflowId };
    },
    follow: async (tx, after) => {
      const agent = await findWorkflow(tx, workflowId);
      if (!agent) throw new Error('A workflow vanished while it was attached.');
      const { name, isActive } = agent;
      await announceResolved(deps, tx, after, context.actor, {
        resolution: 'fulfilled',
        note: null,
        agent: { id: workflowId, name, isActive },
      });
    },
  });
}
