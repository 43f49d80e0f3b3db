import { PROVIDER_RULES, type StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type SavedKey = Reply<'listCredentials'>[number];
type Need = Reply<'listRequirements'>[number];

/** One service as this business sees it. */
export type ServiceView = {
  provider: StoredProvider;
  own: SavedKey | undefined;
  inherited: SavedKey | undefined;
  agents: readonly string[];
  /** The client's chatbot is on and answers with it. */
  hasChatbot: boolean;
  state: Need['state'] | undefined;
};

export const keysQuery = queryOptions({ queryKey: keys.client.credentials, queryFn: ({ signal }) => api.listCredentials({ signal }) });
export const needsQuery = queryOptions({ queryKey: keys.client.requirements, queryFn: ({ signal }) => api.listRequirements({ signal }) });

/** Services that an agent or the chatbot uses or that have a key of their own come first; the rest could be added. */
export function viewServices(saved: readonly SavedKey[], needs: readonly Need[]): { used: ServiceView[]; other: ServiceView[] } {
  const providers = Object.keys(PROVIDER_RULES) as StoredProvider[]; // keys of a const record: the list is closed
  const views = providers.map((provider): ServiceView => {
    const mine = saved.filter((key) => key.provider === provider);
    const wanted = needs.filter((need) => need.provider === provider);
    return {
      provider,
      own: mine.find((key) => key.clientId !== null && !key.inherited),
      inherited: mine.find((key) => key.inherited),
      agents: wanted.flatMap((need) => need.agents.map((agent) => agent.name)),
      hasChatbot: mine.some((key) => key.usedByChatbots > 0),
      state: wanted[0]?.state,
    };
  });
  const isUsed = (view: ServiceView): boolean => view.agents.length > 0 || view.hasChatbot || view.own !== undefined;
  return { used: views.filter(isUsed), other: views.filter((view) => !isUsed(view)) };
}
