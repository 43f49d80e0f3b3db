import type { StoredProvider } from '@partner-portal/core/credential/credential.ts';
import type { ReadinessState } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { type CredentialsDeps, platformProviders } from '../deps.ts';
import { readInScope } from '../scope.ts';
import { listNeeds } from './needs.ts';

type Deps = Pick<CredentialsDeps, 'db' | 'platformKeys'>;

export type Requirement = {
  provider: StoredProvider;
  clientId: string | null;
  clientName: string | null;
  state: ReadinessState;
  agents: { id: string; name: string; stepNames: string[] }[];
};
export type ReadinessRow = {
  agentId: string;
  agentName: string;
  clientId: string | null;
  clientName: string | null;
  cells: { provider: StoredProvider; state: ReadinessState; message: string | null }[];
};

/** Lists which agents need which provider, per client (or the partner itself), and whether the key is there. */
export async function listRequirements(
  deps: Deps,
  actor: Actor,
  query: { clientId?: string | undefined; partnerId?: string | undefined },
): Promise<Requirement[]> {
  const needs = await readInScope(deps.db, actor, query, (tx, scope) => listNeeds(tx, scope, platformProviders(deps.platformKeys)));
  const bySlot = Map.groupBy(needs, ({ agent, provider }) => `${agent.clientId ?? 'partner'} ${provider}`);
  return [...bySlot.values()].flatMap((slot) => {
    const [first] = slot;
    if (!first) return [];
    const { agent, provider, state } = first;
    const agents = slot.map((need) => ({ id: need.agent.id, name: need.agent.name, stepNames: need.stepNames }));
    return [{ provider, clientId: agent.clientId, clientName: agent.clientName, state, agents }];
  });
}

/** Returns the grid of agents and required connections of one client, with the partner-wide agents, since they serve the client too. */
export async function getClientReadiness(deps: Deps, actor: Actor, clientId: string): Promise<ReadinessRow[]> {
  const needs = await readInScope(deps.db, actor, { clientId }, (tx, scope) => listNeeds(tx, scope, platformProviders(deps.platformKeys)));
  const byAgent = Map.groupBy(needs, (need) => need.agent.id);
  return [...byAgent.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { id, name, clientId: ownerId, clientName } = first.agent;
    const cells = own.map(({ provider, state, message }) => ({ provider, state, message }));
    return [{ agentId: id, agentName: name, clientId: ownerId, clientName, cells }];
  });
}
