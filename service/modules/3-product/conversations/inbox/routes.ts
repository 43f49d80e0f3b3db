import { answer } from '#platform/http/answer.ts';
import { readFigures } from '../figures/read-figures.ts';
import { addCannedReply, listCannedReplies, removeCannedReply } from './canned-replies.ts';
import { changeConversation } from './change-conversation.ts';
import { countConversations, exportConversations, listConversations } from './list-conversations.ts';
import { markConversationRead } from './mark-read.ts';
import { exportMessages, readConversation, readMessages } from './read-conversation.ts';
import { replyToConversation } from './reply.ts';
import { streamConversations } from './stream-conversations.ts';
import { createTyping } from './typing.ts';
import { defineHandlers } from '#platform/http/context.ts';
import type { InboxDeps } from '../deps.ts';

/** What people of the agency and the client do with conversations. */
export function inboxHandlers(deps: InboxDeps) {
  const announceTyping = createTyping(deps);
  return defineHandlers({
    listConversations: ({ query }, { actor }) => listConversations(deps, actor, query),
    exportConversations: ({ query }, { actor, now }) => exportConversations(deps, actor, query, now),
    countConversations: ({ query }, { actor }) => countConversations(deps, actor, query.clientId),
    streamConversations: ({ query }, { actor }) => streamConversations(deps, actor, query.clientId),
    getConversation: ({ params }, { actor }) => readConversation(deps, actor, params.id),
    listMessages: ({ params, query }, { actor }) => readMessages(deps, actor, params.id, query),
    exportMessages: ({ params }, { actor, now }) => exportMessages(deps, actor, params.id, now),
    takeOverConversation: ({ params }, context) => changeConversation(deps, context, params.id, 'take_over'),
    giveBackConversation: ({ params }, context) => changeConversation(deps, context, params.id, 'give_back'),
    closeConversation: ({ params }, context) => changeConversation(deps, context, params.id, 'close'),
    replyToConversation: async ({ params, body }, context) => answer(201, await replyToConversation(deps, context, params.id, body)),
    markConversationRead: async ({ params, body }, { actor }) => void (await markConversationRead(deps, actor, params.id, body)),
    announceTyping: async ({ params }, { actor }) => void (await announceTyping(actor, params.id)),
    getChatbotFigures: ({ query }, { actor }) => readFigures(deps, actor, query),
    listCannedReplies: ({ query }, { actor }) => listCannedReplies(deps, actor, query.clientId),
    addCannedReply: async ({ body }, context) => answer(201, await addCannedReply(deps, context, body)),
    deleteCannedReply: async ({ params }, context) => void (await removeCannedReply(deps, context, params.id)),
  });
}
