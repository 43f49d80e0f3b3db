import type { KeyOwner, Provider } from '@partner-portal/contract/vocabulary.ts';
import { retentionOf } from '@partner-portal/core/trust/retention.ts';
import { type AgentDeps, listAgents } from '#modules/3-product/agents/index.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { findAgency, findChatbotProvider } from './store.ts';

export type TrustDeps = AgentDeps & { deletionDays: number };

const AGENTS_SHOWN = 100;

/** Returns what each agent of a client works with, which services it uses with whose key, and how long data is kept. */
export async function readTrust(deps: TrustDeps, { actor }: RequestContext) {
  const { clientId, partnerId } = actor;
  if (clientId === null) return refuse('not_found');
  const [facts, agents] = await Promise.all([
    deps.db.asTenant(actor, async (tx) => ({
      agency: (await findAgency(tx, clientId)) ?? refuse('not_found'),
      chatbot: await findChatbotProvider(tx, clientId),
      resolve: await readCredentials(tx, [{ partnerId, clientId }], deps.platformProviders),
    })),
    listAgents(deps, actor, { limit: AGENTS_SHOWN }),
  ]);
  const { agency, chatbot, resolve } = facts;
  const serviceOf = (provider: Provider): { provider: Provider; key: KeyOwner } => {
    const { state, row } = resolve({ partnerId, clientId, provider });
    if (state === 'missing' || !row) return { provider, key: 'missing' };
    return { provider, key: row.sourceMode === 'platform' ? 'platform' : row.clientId === null ? 'agency' : 'own' };
  };
  return {
    agency: { name: agency.name, supportEmail: agency.supportEmail },
    agents: agents.data.map((agent) => {
      const template = deps.templateOf(agent.templateName);
      const { id, name, icon, isActive, runs30d, lastRunAt } = agent;
      return {
        id,
        name,
        icon,
        isActive,
        runs30d,
        lastRunAt,
        data: template?.data ?? [],
        services: (template?.requiredConnections ?? []).filter((provider) => provider !== 'code').map(serviceOf),
      };
    }),
    chatbot: chatbot === undefined ? null : serviceOf(chatbot),
    retention: retentionOf({ auditDays: agency.auditDays, deletionDays: deps.deletionDays }),
  };
}
