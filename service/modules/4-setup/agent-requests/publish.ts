import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { stepsUsingProvider } from '@partner-portal/core/template/definition.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { isServed, type RequestRow } from './store.ts';

/** Domain events of agent requests, published in the transaction of the change with the row as it is afterwards. */

type Deps = Pick<AgentRequestsDeps, 'baseUrl' | 'templateOf'>;
/** Null when the pipeline acted. */
type By = Actor | null;

function common(deps: Deps, row: RequestRow, by: By) {
  const { id, kind, templateName, title, status, createdAt } = row;
  return {
    partnerId: row.partnerId,
    partnerName: row.partnerName,
    ...(by ? { actor: actorOf(by) } : {}),
    portalUrl: `${deps.baseUrl}/dashboard/requests?request=${id}`,
    agentRequest: { id, kind, templateName, title, status, createdAt: createdAt.toISOString() },
    client: { id: row.clientId, name: row.clientName, externalRef: row.externalRef },
  };
}

/** Staff are not named outside. */
function actorOf(by: Actor) {
  if (by.role === 'ADMIN') return { type: 'staff' as const, id: by.userId };
  return { type: 'user' as const, id: by.userId, email: by.email };
}

export async function publishSubmitted(deps: Deps, tx: Tx, row: RequestRow, by: Actor): Promise<void> {
  const { partnerId, clientId } = row;
  await publishEvent(tx, { partnerId, clientId, type: 'agent_request.submitted', data: common(deps, row, by) });
}

export async function publishResolved(
  deps: Deps,
  tx: Tx,
  row: RequestRow,
  by: By,
  outcome: {
    resolution: 'approved' | 'rejected' | 'fulfilled';
    note: string | null;
    agent?: { id: string; name: string; isActive: boolean; missingSettings?: string[]; missingProfile?: string[] };
  },
): Promise<void> {
  const { partnerId, clientId } = row;
  await publishEvent(tx, { partnerId, clientId, type: 'agent_request.resolved', data: { ...common(deps, row, by), ...outcome } });
}

export async function publishFailed(
  deps: Deps,
  tx: Tx,
  row: RequestRow,
  outcome: { attemptId: string | null; message: string },
): Promise<void> {
  const { partnerId, clientId } = row;
  const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
  const missing = row.missingProviders.map((provider) => ({ provider, stepNames: template ? stepsUsingProvider(template, provider) : [] }));
  // A template that left the catalog cannot be installed by a retry, and no agent of an archived client.
  const retryable = template?.isActive === true && (await isServed(tx, partnerId, clientId));
  const data = { ...common(deps, row, null), ...outcome, retryable, missingConnections: missing };
  await publishEvent(tx, { partnerId, clientId, type: 'agent_request.provisioning_failed', data });
}
