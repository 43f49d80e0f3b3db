import { findAgent, removeAgent } from '#modules/3-product/agents/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { publishResolved, publishSubmitted } from './publish.ts';
import { readConfigs } from './read-configs.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { queueInstalls } from './install/install-job.ts';
import { findUnfinished, findWorkflow, isServed, NO_MORE_AGENTS, type RequestRow, SUSPENDED } from './store.ts';
import { changeStatus } from './change-status.ts';

/** Refuses what leads to an installation: an archived client stays archived, and nothing is installed for a suspended agency. Changes nothing. */
async function refuseUnserved(tx: Tx, { partnerId, partnerStatus, clientId }: RequestRow) {
  if (partnerStatus !== 'active') return refuse('invalid_state', { detail: SUSPENDED });
  return (await isServed(tx, partnerId, clientId)) ? {} : refuse('invalid_state', { detail: NO_MORE_AGENTS });
}

/** Submits a client's suggestion to staff. */
export function submitRequest(deps: AgentRequestsDeps, context: RequestContext, id: string) {
  return changeStatus(deps, context, id, {
    trigger: 'submit',
    action: 'agent_request.submitted',
    change: refuseUnserved,
    follow: (tx, after) => publishSubmitted(deps, tx, after, context.actor),
  });
}

export function declineRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, note: string | undefined) {
  return changeStatus(deps, context, id, {
    trigger: 'decline',
    action: 'agent_request.declined',
    note,
    change: () => ({ decisionNote: note || undefined }),
  });
}

export function cancelRequest(deps: AgentRequestsDeps, context: RequestContext, id: string) {
  return changeStatus(deps, context, id, { trigger: 'cancel', action: 'agent_request.cancelled' });
}

/**
 * Approves a request. A template's agent is installed by a job as soon as the instance is free, with the approver as acting user; with
 * `provisionNow: false` staff start it later. Only one of concurrent approvals succeeds.
 */
export function approveRequest(
  deps: AgentRequestsDeps,
  context: RequestContext,
  id: string,
  input: { note?: string | undefined; config?: Record<string, unknown> | undefined; provisionNow: boolean },
) {
  return changeStatus(deps, context, id, {
    trigger: 'approve',
    action: 'agent_request.approved',
    note: input.note,
    change: async (tx, before) => {
      await refuseUnserved(tx, before);
      let config: Record<string, unknown> | undefined;
      const template = before.templateName === null ? undefined : deps.templateOf(before.templateName);
      if (input.config !== undefined) {
        if (!template) refuseField('config', 'unknown', 'Only agents from the catalog have settings.');
        const configOf = await readConfigs(tx, before.partnerId, [before.clientId], { template, config: input.config });
        config = configOf(before.clientId);
      }
      return {
        reviewedBy: context.actor.userId,
        decisionNote: input.note || undefined,
        config: config && { ...before.config, ...config },
        dueAt: input.provisionNow && before.kind === 'template' ? context.now : null,
      };
    },
    follow: async (tx, after) => {
      await publishResolved(deps, tx, after, context.actor, { resolution: 'approved', note: input.note || null });
      if (after.dueAt !== null) await queueInstalls(tx, [id]);
    },
  });
}

/**
 * Rejects a request, or one that was approved and cannot be built, and removes the agent that its installation added and did not finish. The partner
 * reads the note, so it is required. What waits to be installed is refused: a started installation may have stored its agent.
 */
export function rejectRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, note: string) {
  return changeStatus(deps, context, id, {
    trigger: 'reject',
    action: 'agent_request.rejected',
    note,
    change: async (tx, before) => {
      if (before.status === 'approved' && before.dueAt !== null)
        return refuse('invalid_state', { detail: 'This request is approved and waits to be installed.' });
      // Left there, the next repair would install it.
      const leftId = before.status === 'provisioning_failed' ? await findUnfinished(tx, id) : undefined;
      const left = leftId === undefined ? undefined : await findAgent(tx, leftId);
      const busy = 'A setup of this agency is running. Reject the request when it has ended.';
      if (left) await removeAgent(tx, context, left, { leaseSeconds: 0, busy });
      return { reviewedBy: context.actor.userId, decisionNote: note };
    },
    follow: (tx, after) => publishResolved(deps, tx, after, context.actor, { resolution: 'rejected', note }),
  });
}

/** Starts the installation after a failure, or one approved for later. The caller becomes the acting user. */
export function retryRequest(deps: AgentRequestsDeps, context: RequestContext, id: string) {
  return changeStatus(deps, context, id, {
    trigger: 'start',
    action: 'agent_request.retried',
    change: async (tx, before) => {
      await refuseUnserved(tx, before);
      return { reviewedBy: context.actor.userId, dueAt: context.now };
    },
    follow: (tx) => queueInstalls(tx, [id]),
  });
}

/** Fulfils a custom request with a workflow that staff built: the client's own, or one of the whole partner. */
export function fulfillRequest(deps: AgentRequestsDeps, context: RequestContext, id: string, workflowId: string) {
  return changeStatus(deps, context, id, {
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
      await publishResolved(deps, tx, after, context.actor, {
        resolution: 'fulfilled',
        note: null,
        agent: { id: workflowId, name, isActive },
      });
    },
  });
}
