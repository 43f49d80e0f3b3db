import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { DEFAULT_MODELS } from '@partner-portal/core/conversation/chatbot-defaults.ts';
import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import { type ChatbotFacts, readFacts } from '../serve/store.ts';
import { defaultsOf } from '../defaults.ts';
import { refuseBadRoutes } from './settings.ts';
import { findChatbotOf, type Settings } from '../store.ts';

/** Settings that are not saved yet. */
export type Draft = {
  persona?: string | undefined;
  provider?: AiProvider | undefined;
  model?: string | undefined;
  agentRoutes?: Settings['agentRoutes'] | undefined;
};

/** No chatbot has this id: one that is not saved yet knows nothing. */
const UNSAVED_ID = '00000000-0000-0000-0000-000000000000';

/** Returns the facts of a client's chatbot as they would be with unsaved settings, and the names of its agents. */
export async function readDraftFacts(
  tx: Tx,
  client: ClientRef,
  draft: Draft,
): Promise<{ facts: ChatbotFacts; agentNames: Map<string, string> }> {
  const row = await findChatbotOf(tx, client.id);
  const saved = row && (await readFacts(tx, row.id));
  const { agentRoutes, ...defaults } = defaultsOf(client);
  const unsaved = {
    id: UNSAVED_ID,
    partnerId: client.partnerId,
    clientId: client.id,
    businessName: client.name,
    locale: client.locale,
    timezone: client.timezone,
    agencyName: '',
    logoUrl: null,
  };
  const facts: ChatbotFacts = saved ?? { ...defaults, ...unsaved, brandColor: '', routes: agentRoutes };
  const routes = draft.agentRoutes ?? facts.routes;
  const agentNames = await refuseBadRoutes(tx, client, routes, draft.agentRoutes !== undefined);
  const provider = draft.provider ?? facts.provider;
  const model = draft.model ?? (provider === facts.provider ? facts.model : DEFAULT_MODELS[provider]);
  return { facts: { ...facts, routes, provider, model, persona: draft.persona ?? facts.persona }, agentNames };
}
