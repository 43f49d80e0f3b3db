import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, text } from '../primitives.ts';
import { publicChatbot, publicMessage } from '../records/conversation.ts';
import { CONVERSATION_STATUSES, LIMITS } from '../vocabulary.ts';
import { isPublic } from './access.ts';

const tag = 'chatbot';
const ofChatbot = z.object({ chatbotId: id });
/** `conversationId` of these routes is random and known to the visitor alone, who proves with it. The inbox has another id of the conversation. */
const ofConversation = ofChatbot.extend({ conversationId: id });

const publicConversation = z.object({
  conversationId: id,
  status: z.enum(CONVERSATION_STATUSES),
  /** Name of the person who replies; null while the chatbot does. */
  humanName: z.string().nullable(),
  /** The chatbot writes an answer, also one to a message that stands before its newest reply. */
  isAnswering: z.boolean(),
  messages: z.array(publicMessage),
});

export const chatbotPublicRoutes = {
  getPublicChatbot: defineRoute({
    method: 'GET',
    path: '/chatbot/public/:chatbotId',
    tag,
    summary: 'Get what the widget shows before the first message',
    access: isPublic,
    mainHostOnly: true,
    limit: 'visitor',
    params: ofChatbot,
    reply: { 200: publicChatbot },
    errors: ['scope_forbidden', 'not_found', 'rate_limited'],
  }),
  sendVisitorMessage: defineRoute({
    method: 'POST',
    path: '/chatbot/public/:chatbotId/messages',
    tag,
    summary: 'Send a message as a visitor; returns when the reply is complete, or 202 at once with `Prefer: respond-async`',
    access: isPublic,
    mainHostOnly: true,
    limit: 'visitor',
    params: ofChatbot,
    bodyLimit: LIMITS.unprovenBodyBytesMax,
    body: z.object({
      conversationId: id.optional(),
      text: text(LIMITS.visitorTextMax),
      /** Chosen by the sender: the same message sent again is stored once. */
      clientMessageId: id.optional(),
      /** Pseudonymous id of the browser, for the rate limit. */
      visitorId: id.optional(),
      /** Address of the page that shows the chat; its origin is kept. */
      origin: z.string().max(2_000).optional(),
    }),
    reply: {
      200: z.object({
        conversationId: id,
        /** The text of the answer; null when a person answers. */
        reply: z.string().nullable(),
        status: z.enum(CONVERSATION_STATUSES),
        message: publicMessage.nullable(),
      }),
      202: z.object({ conversationId: id, messageId: id, status: z.enum(CONVERSATION_STATUSES) }),
    },
    errors: ['validation_failed', 'scope_forbidden', 'not_found', 'rate_limited', 'service_unavailable'],
    changesNothing: 'A visitor has no user; the conversation records what was said.',
  }),
  getPublicConversation: defineRoute({
    method: 'GET',
    path: '/chatbot/public/:chatbotId/conversations/:conversationId',
    tag,
    summary: 'List the newest messages of a visitor’s own conversation',
    access: isPublic,
    mainHostOnly: true,
    limit: 'visitor',
    params: ofConversation,
    reply: { 200: publicConversation },
    errors: ['scope_forbidden', 'not_found', 'rate_limited'],
  }),
  streamPublicConversation: defineRoute({
    method: 'GET',
    path: '/chatbot/public/:chatbotId/conversations/:conversationId/stream',
    tag,
    summary: 'Stream the events of a visitor’s own conversation: `delta`, `message`, `typing`, `status`',
    access: isPublic,
    mainHostOnly: true,
    limit: 'visitor',
    params: ofConversation,
    format: 'events',
    reply: { 200: z.unknown() },
    errors: ['scope_forbidden', 'not_found', 'rate_limited'],
  }),
  announceVisitorTyping: defineRoute({
    method: 'POST',
    path: '/chatbot/public/:chatbotId/conversations/:conversationId/typing',
    tag,
    summary: 'Show the inbox that the visitor is typing',
    access: isPublic,
    mainHostOnly: true,
    limit: 'visitor',
    params: ofConversation,
    reply: { 204: z.undefined() },
    errors: ['scope_forbidden', 'not_found', 'rate_limited'],
    changesNothing: 'Nothing is stored.',
  }),
};
