import { resolveCredential, readinessOf, type StoredProvider } from '@partner-portal/core/credential/credential.ts';
import type { ReadinessState } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { type CredentialsDeps, isUsable, type PlatformKeys } from '../deps.ts';
import { needsByTemplate } from './needs.ts';
import { readInScope } from '../scope.ts';
import { type AgentRow, listAgents, listStates, type StateRow } from '../store-views.ts';

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

type Need = { agent: AgentRow; provider: StoredProvider; stepNames: string[]; state: ReadinessState; message: string | null };

/** Which agents need which provider, per client (or the agency itself), and whether the key is there. */
export async function listRequirements(
  deps: Deps,
  actor: Actor,
  query: { clientId?: string | undefined; partnerId?: string | undefined },
): Promise<Requirement[]> {
  const bySlot = new Map<string, Requirement>();
  for (const need of await readNeeds(deps, actor, query)) {
    const { clientId, clientName } = need.agent;
    const slot = `${clientId ?? 'agency'} ${need.provider}`;
    const requirement = bySlot.get(slot) ?? { provider: need.provider, clientId, clientName, state: need.state, agents: [] };
    requirement.agents.push({ id: need.agent.id, name: need.agent.name, stepNames: need.stepNames });
    bySlot.set(slot, requirement);
  }
  return [...bySlot.values()];
}

/** The grid agent × required connection of one client; agents of the whole agency are in it, since they serve the client too. */
export async function getClientReadiness(deps: Deps, actor: Actor, clientId: string): Promise<ReadinessRow[]> {
  const byAgent = new Map<string, ReadinessRow>();
  for (const { agent, provider, state, message } of await readNeeds(deps, actor, { clientId })) {
    const row = byAgent.get(agent.id) ?? {
      agentId: agent.id,
      agentName: agent.name,
      clientId: agent.clientId,
      clientName: agent.clientName,
      cells: [],
    };
    row.cells.push({ provider, state, message });
    byAgent.set(agent.id, row);
  }
  return [...byAgent.values()];
}

async function readNeeds(
  deps: Deps,
  actor: Actor,
  query: { clientId?: string | undefined; partnerId?: string | undefined },
): Promise<Need[]> {
  const { agents, states } = await readInScope(deps.db, actor, query, async (tx, scope) => {
    const [found, stored] = await Promise.all([listAgents(tx, scope), listStates(tx, scope)]);
    return { agents: found, states: stored };
  });
  const byProvider = Map.groupBy(states, (row) => row.provider);
  const needs = needsByTemplate();
  return agents.flatMap((agent) =>
    (needs.get(agent.templateName) ?? []).map(({ provider, stepNames }) => {
      const row = resolveCredential(byProvider.get(provider) ?? [], agent.clientId);
      const state = readinessOf(row && { ...row, usable: isUsable(deps.platformKeys, row) }, agent.clientId);
      return { agent, provider, stepNames, state, message: messageOf(deps.platformKeys, row, state) };
    }),
  );
}

function messageOf(platformKeys: PlatformKeys, row: StateRow | undefined, state: ReadinessState): string | null {
  if (state === 'failing') return row?.lastCheckMessage ?? null;
  if (state !== 'missing') return null;
  return row && !isUsable(platformKeys, row) ? 'The platform offers no key for this service right now.' : 'No key is saved yet.';
}
