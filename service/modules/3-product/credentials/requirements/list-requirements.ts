import { agentNameFor } from '@partner-portal/catalog/index.ts';
import { PROVIDER_RULES, type StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { ReadinessState } from '@partner-portal/contract/vocabulary.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import { type CredentialsDeps, platformProviders } from '../deps.ts';
import { readInScope } from '../scope.ts';
import { countNeeds, listNeeds } from './needs.ts';

type Deps = Pick<CredentialsDeps, 'db' | 'platformKeys'>;

export type Requirement = {
  provider: StoredProvider;
  clientId: string | null;
  clientName: string | null;
  state: ReadinessState;
  /** Agents of the owner that need the provider; `agents` may list fewer. */
  agentCount: number;
  agents: { id: string; name: string; stepNames: string[] }[];
};
export type ReadinessRow = {
  agentId: string;
  agentName: string;
  clientId: string | null;
  clientName: string | null;
  cells: { provider: StoredProvider; state: ReadinessState; message: string | null }[];
};

type Query = { clientId?: string | undefined; partnerId?: string | undefined };

/** Agents in the list of requirements. */
const AGENTS_LISTED = 250;

/**
 * Lists which agents need which provider, per client (or the partner itself), and whether the key is there. Above the limit, agents are chosen in this order: a client's own before
 * agency-wide agents, then those whose key is missing or failing, then the newest.
 */
export async function listRequirements(deps: Deps, actor: Actor, query: Query, limit = AGENTS_LISTED): Promise<Requirement[]> {
  const { needs, locale } = await readInScope(deps.db, actor, query, async (tx, scope) => ({
    needs: await listNeeds(tx, scope, platformProviders(deps.platformKeys), limit),
    locale: await readerLocale(tx, actor),
  }));
  const bySlot = Map.groupBy(needs, ({ agent, provider }) => `${agent.clientId ?? 'partner'} ${provider}`);
  return [...bySlot.values()].flatMap((slot) => {
    const [first] = slot;
    if (!first) return [];
    const { agent, provider, state, agents: agentCount } = first;
    const agents = slot.map((need) => ({
      id: need.agent.id,
      name: agentNameFor(locale, need.agent.templateName, need.agent.name),
      stepNames: need.stepNames,
    }));
    return [{ provider, clientId: agent.clientId, clientName: agent.clientName, state, agentCount, agents }];
  });
}

/** Counts all that the list of requirements is about: each provider that an agent needs, in the order of the vocabulary, and the agents that need any key. */
export async function countRequirements(deps: Deps, actor: Actor, query: Query) {
  const rows = await readInScope(deps.db, actor, query, (tx, scope) => countNeeds(tx, scope, platformProviders(deps.platformKeys)));
  const order = Object.keys(PROVIDER_RULES);
  return {
    agents: rows[0]?.allAgents ?? 0,
    providers: rows
      .map(({ provider, agents, missing, failing }) => ({ provider, agents, missing, failing }))
      .toSorted((a, b) => order.indexOf(a.provider) - order.indexOf(b.provider)),
  };
}

/** Returns the grid of agents and required connections of one client, with the partner-wide agents, since they serve the client too. */
export async function getClientReadiness(deps: Deps, actor: Actor, clientId: string): Promise<ReadinessRow[]> {
  const needs = await readInScope(deps.db, actor, { clientId }, (tx, scope) =>
    listNeeds(tx, scope, platformProviders(deps.platformKeys), null),
  );
  const byAgent = Map.groupBy(needs, (need) => need.agent.id);
  return [...byAgent.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { id, name, clientId: ownerId, clientName } = first.agent;
    const cells = own.map(({ provider, state, message }) => ({ provider, state, message }));
    return [{ agentId: id, agentName: name, clientId: ownerId, clientName, cells }];
  });
}
