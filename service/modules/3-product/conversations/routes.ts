import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import type { ConversationsDeps, InboxDeps } from './deps.ts';
import { readFigures } from './figures/read-figures.ts';
import { addCannedReply, listCannedReplies, removeCannedReply } from './inbox/canned-replies.ts';
import { changeConversation } from './inbox/change-conversation.ts';
import { countConversations, exportConversations, listConversations } from './inbox/list-conversations.ts';
import { markConversationRead } from './inbox/mark-read.ts';
import { exportMessages, readConversation, readMessages } from './inbox/read-conversation.ts';
import { replyToConversation } from './inbox/reply.ts';
import { streamConversations } from './inbox/stream-conversations.ts';
import { createTyping } from './inbox/typing.ts';
import { previewChatbot } from './preview/preview-chatbot.ts';
import { announceVisitorTyping, readPublicChatbot, readPublicConversation } from './visitor/read-conversation.ts';
import { receiveVisitorMessage } from './visitor/receive-message.ts';
import { type StreamDeps, streamPublicConversation } from './visitor/stream-conversation.ts';

/** Handlers for people of the agency and the client. */
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

/** The preview of a chatbot, for who sets it up. */
export function previewHandlers(deps: ConversationsDeps) {
  return defineHandlers({ previewChatbot: ({ body }, context) => previewChatbot(deps, context, body) });
}

/** Handlers for visitors of a website. */
export function visitorHandlers(visitor: StreamDeps) {
  return defineHandlers({
    getPublicChatbot: ({ params }, context) => readPublicChatbot(visitor, params.chatbotId, context),
    sendVisitorMessage: (input, context) => receiveVisitorMessage(visitor, input, context),
    getPublicConversation: (input, context) => readPublicConversation(visitor, input, context),
    streamPublicConversation: (input, context) => streamPublicConversation(visitor, input, context),
    announceVisitorTyping: async (input, context) => void (await announceVisitorTyping(visitor, input, context)),
  });
}
