import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { ChatbotDeps } from './deps.ts';
import { findPassages } from './knowledge/find-passages.ts';
import { endForgottenReadings, readDocuments, readDocumentsJob } from './reading/read-document.ts';
import { readFacts } from './serve/store.ts';
import { createServed } from './serve/find-served.ts';
import { chatbotHandlers } from './routes.ts';

export { chatBudgetsChanged } from './facts.ts';
export type { FoundPassage } from './knowledge/find-passages.ts';
export { rereadProfiles } from './knowledge/own-knowledge.ts';
export { withClient } from './client-scope.ts';
export { type Draft, readDraftFacts } from './settings/draft-facts.ts';
export { requireChatbotFeature } from './require-feature.ts';
export type { ChatbotFacts } from './serve/store.ts';

/** The chatbot of each client: its settings, what it knows, and what it is to its visitors. */
export function chatbot(deps: ChatbotDeps) {
  return {
    routes: chatbotHandlers(deps),
    jobs: [handleJob(readDocumentsJob, (_payload, context) => readDocuments(deps, context))],
    crons: [defineCron('chatbot.end_forgotten_readings', '*/10 * * * *', () => endForgottenReadings(deps))],
    findServed: createServed(deps),
    readFacts,
    findPassages,
  };
}

export type Chatbot = ReturnType<typeof chatbot>;
