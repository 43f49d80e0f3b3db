import type { Need } from '#modules/3-product/credentials/index.ts';
import type { OverviewScope } from './store.ts';

export type MissingKey = { provider: string; clientId: string | null; clientName: string | null; agents: string[] };

const SHOWN_MAX = 20;

/**
 * Returns the keys that active agents of the scope lack, by provider and client (partner-wide agents last). Whether a key is missing
 * is the requirements' decision. With a client, partner-wide agents are left out.
 */
export function missingKeys(needs: readonly Need[], { clientId }: OverviewScope): MissingKey[] {
  const missing = needs.filter(
    ({ agent, state }) => state === 'missing' && agent.isActive && (clientId === null || agent.clientId === clientId),
  );
  const bySlot = Map.groupBy(missing, ({ agent, provider }) => `${provider} ${agent.clientId ?? ''}`);
  return [...bySlot.values()]
    .flatMap(([first, ...more]) => {
      if (!first) return [];
      const { agent, provider } = first;
      const agents = [agent.name, ...more.map((need) => need.agent.name)];
      return [{ provider, clientId: agent.clientId, clientName: agent.clientName, agents }];
    })
    .toSorted((a, b) => compare(a.provider, b.provider) || Number(a.clientId === null) - Number(b.clientId === null))
    .slice(0, SHOWN_MAX);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
