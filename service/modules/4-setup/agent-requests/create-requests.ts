import type { Template } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import { readConfigs } from './read-configs.ts';
import { recordCreated } from './record-created.ts';
import { toRequests } from './records.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { findClients, findRequests, insertRequests, listServedClients, type NewRequests } from './store.ts';

export type NewRequestInput = {
  clientId?: string | undefined;
  clientIds?: readonly string[] | undefined;
  templateName?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  config?: Record<string, unknown> | undefined;
};

/**
 * Creates requests for one or many clients: all or none. A partner's request is submitted to staff; a client's is a suggestion to its
 * partner. Repeating a user's Idempotency-Key within 24 hours returns the first requests.
 */
export async function createRequests(deps: AgentRequestsDeps, context: RequestContext, input: NewRequestInput) {
  const { actor } = context;
  const clientIds = chooseClients(actor, input);
  const subject = chooseSubject(deps, input);
  // Keys of 0.2.0 count on, which name no route.
  const call = { names: [], partnerId: actor.partnerId, body: input };
  return deps.db.asTenant(actor, async (tx) => {
    const ids = await once(tx, context, call, () => addRequests(deps, tx, context, clientIds, subject));
    return toRequests(deps, tx, await findRequests(tx, ids), actor);
  });
}

/** A client requests for itself; a partner names its clients. */
function chooseClients(actor: Actor, input: NewRequestInput): string[] {
  if (input.clientId !== undefined && input.clientIds !== undefined)
    refuseField('clientIds', 'ambiguous', 'Send clientId for one client or clientIds for several, not both.');
  const requested = input.clientIds ?? (input.clientId === undefined ? [] : [input.clientId]);
  if (actor.clientId !== null) return requested.every((id) => id === actor.clientId) ? [actor.clientId] : refuse('not_found');
  if (requested.length === 0) refuseField('clientId', 'required', 'Choose the client the agent is for.');
  return [...new Set(requested)];
}

type Subject = Pick<NewRequests, 'kind' | 'templateName' | 'title' | 'description'> & {
  template: Template | undefined;
  config: Record<string, unknown> | undefined;
};

function chooseSubject(deps: AgentRequestsDeps, input: NewRequestInput): Subject {
  const description = input.description ?? '';
  if (input.templateName === undefined) {
    if (input.title === undefined) refuseField('title', 'required', 'Choose an agent from the catalog, or enter a title for a custom one.');
    if (input.config !== undefined) refuseField('config', 'unknown', 'Only agents from the catalog have settings.');
    return { kind: 'custom', templateName: null, title: input.title, description, template: undefined, config: {} };
  }
  const template: Template | undefined = deps.templateOf(input.templateName);
  if (!template?.isActive) return refuseField('templateName', 'unknown', 'The catalog has no such template.');
  return {
    kind: 'template',
    templateName: template.name,
    title: input.title ?? template.title,
    description,
    template,
    config: input.config,
  };
}

async function addRequests(
  deps: AgentRequestsDeps,
  tx: TenantTx,
  context: RequestContext,
  clientIds: readonly string[],
  subject: Subject,
): Promise<string[]> {
  const { actor } = context;
  const clients = await findClients(tx, actor.partnerId, clientIds);
  if (clients.length < clientIds.length) return refuse('not_found');
  const { config, template, ...fresh } = subject;
  const configOf = await readConfigs(tx, actor.partnerId, clientIds, { template, config });
  await refuseServed(tx, clientIds, subject);
  const byClient = actor.role === 'CLIENT';
  const added = await insertRequests(tx, {
    ...fresh,
    partnerId: actor.partnerId,
    clients: clientIds.map((id) => ({ id, config: configOf(id) })),
    status: byClient ? 'suggested' : 'submitted',
    origin: byClient ? 'client' : 'partner',
    by: { type: 'user', id: actor.userId },
  });
  const without = clients.filter((client) => !added.some((one) => one.clientId === client.id)).map((client) => client.name);
  if (without.length > 0)
    return refuse('already_pending', {
      detail: `There is already an open request for this agent: ${without.join(', ')}.`,
      clients: without,
    });
  const inOrder = clientIds.flatMap((id) => added.filter((one) => one.clientId === id).map((one) => one.id));
  await recordCreated(deps, tx, context, inOrder);
  return inOrder;
}

async function refuseServed(tx: TenantTx, clientIds: readonly string[], { templateName }: Subject): Promise<void> {
  const served = templateName === null ? [] : await listServedClients(tx, clientIds, templateName);
  if (served.length === 0) return;
  refuse('already_exists', { detail: `This agent is already installed for ${served.join(', ')}.`, clients: served });
}
