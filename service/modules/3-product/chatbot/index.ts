import { answer } from '#platform/http/answer.ts';
import { createFairTurns } from '#platform/fair-turns.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { changeBudgets } from './budgets/change-budgets.ts';
import { readBudgets } from './budgets/read-budgets.ts';
import type { ChatbotDeps, ChatbotModuleDeps } from './deps.ts';
import { findPassages } from './knowledge/find-passages.ts';
import { readKnowledge, removeKnowledge, searchKnowledge, uploadKnowledge } from './knowledge/manage.ts';
import { endForgottenReadings, readDocument, readDocumentJob } from './reading/read-document.ts';
import { readFacts } from './serve/facts.ts';
import { createServed } from './serve/find-served.ts';
import { CHATBOT_COLUMNS, listChatbots } from './settings/list-chatbots.ts';
import { changeSettings, readSettings } from './settings/settings.ts';

export { chatBudgetsChanged } from './facts.ts';
export { findPassages, type FoundPassage } from './knowledge/find-passages.ts';
export { rereadProfiles } from './knowledge/own-knowledge.ts';
export { withClient } from './client-scope.ts';
export { type Draft, readDraftFacts } from './settings/draft-facts.ts';
export { refreshWords as refreshKnowledgeWords } from './reading/store.ts';
export { requireChatbotFeature } from './require-feature.ts';
export type { ChatbotFacts } from './serve/facts.ts';

/** One file at a time: the next waits, and its job comes again when that takes long. */
const TURNS = { slots: 1, waitingMax: 64, waitMs: 120_000 };

/** The chatbot of each client: its settings, what it knows, and what it is to its visitors. */
export function chatbot(given: ChatbotModuleDeps) {
  const deps: ChatbotDeps = { ...given, turns: createFairTurns(TURNS) };
  return {
    routes: defineHandlers({
      listChatbots: ({ query }, { actor }) => listChatbots(deps, actor, query),
      exportChatbots: ({ query }, { actor, now }) =>
        csvOfList({ name: 'chatbots', now }, CHATBOT_COLUMNS, (cursor) => listChatbots(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
      getChatbot: ({ query }, { actor }) => readSettings(deps, actor, query.clientId),
      changeChatbot: ({ query, body }, context) => changeSettings(deps, context, { ...body, clientId: body.clientId ?? query.clientId }),
      getChatBudgets: ({ query }, { actor }) => readBudgets(deps, actor, query),
      changeChatBudgets: ({ body }, context) => changeBudgets(deps, context, body),
      listKnowledge: ({ query }, { actor }) => readKnowledge(deps, actor, query.clientId),
      uploadKnowledge: async ({ body }, context) => answer(201, await uploadKnowledge(deps, context, body.clientId)),
      deleteKnowledge: async ({ params }, context) => void (await removeKnowledge(deps, context, params.id)),
      searchKnowledge: ({ query }, { actor }) => searchKnowledge(deps, actor, query),
    }),
    jobs: [handleJob(readDocumentJob, ({ documentId }, context) => readDocument(deps, documentId, context))],
    crons: [defineCron('chatbot.end_forgotten_readings', '*/10 * * * *', () => endForgottenReadings(deps))],
    findServed: createServed(deps),
    readFacts,
    findPassages,
  };
}

export type Chatbot = ReturnType<typeof chatbot>;
