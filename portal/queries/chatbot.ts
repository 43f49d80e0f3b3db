import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { pagedQuery } from '../app/paged-query.ts';
import { queryClient } from '../app/query-client.ts';
import { keys } from './keys.ts';
import { refreshAfter } from './refresh.ts';

export type Chatbot = Reply<'getChatbot'>;
export type ChatbotListItem = Reply<'listChatbots'>['data'][number];
export type ChatBudgets = Reply<'getChatBudgets'>;
export type KnowledgeDocument = Reply<'listKnowledge'>[number];
export type AiModel = Reply<'listAiModels'>[number];

const POLL_MS = 2_000;

/** The chatbot of a client; of the own business without one. */
export const chatbotQuery = (clientId: string | undefined) =>
  queryOptions({ queryKey: keys.chatbot.settings(clientId), queryFn: ({ signal }) => api.getChatbot({ query: { clientId }, signal }) });

export const chatbotsQuery = pagedQuery(keys.chatbot.list, ({ cursor, signal }) => api.listChatbots({ query: { cursor }, signal }));

/** What conversations may cost and cost so far; with a client, of its chatbot today. */
export const chatBudgetsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.chatbot.budgetsOf(clientId),
    queryFn: ({ signal }) => api.getChatBudgets({ query: { clientId }, signal }),
    staleTime: 30_000,
  });

/** What a chatbot knows, polled while a file is being read. */
export const knowledgeQuery = (clientId: string) =>
  queryOptions({
    queryKey: keys.chatbot.knowledge(clientId),
    queryFn: ({ signal }) => api.listKnowledge({ query: { clientId }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.some((one) => one.status === 'pending') ? POLL_MS : false),
  });

export const aiModelsQuery = (clientId: string) =>
  queryOptions({
    queryKey: keys.chatbot.models(clientId),
    queryFn: ({ signal }) => api.listAiModels({ query: { clientId }, signal }),
    staleTime: 30_000,
  });

/** Shows a saved chatbot wherever it appears. */
export function storeChatbot(chatbot: Chatbot): void {
  queryClient.setQueryData(chatbotQuery(chatbot.clientId).queryKey, chatbot);
  void refreshAfter('chatbotSaved', chatbot.clientId);
}
