import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { changeBudgets } from './budgets/change-budgets.ts';
import { readBudgets } from './budgets/read-budgets.ts';
import type { ChatbotDeps } from './deps.ts';
import { readKnowledge, removeKnowledge, searchKnowledge, uploadKnowledge } from './knowledge/manage.ts';
import { CHATBOT_COLUMNS, listChatbots } from './settings/list-chatbots.ts';
import { changeSettings, readSettings } from './settings/settings.ts';

export function chatbotHandlers(deps: ChatbotDeps) {
  return defineHandlers({
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
  });
}
