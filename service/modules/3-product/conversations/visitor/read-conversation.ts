import type { ChatbotFacts } from '../deps.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Input, RequestContext, Routes } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import type { VisitorDeps } from './receive-message.ts';
import { toPublicMessage } from './public-message.ts';
import { requireOwnOrigin } from './same-origin.ts';
import { readPublic } from './store.ts';

const MESSAGES_MAX = 100;
const NO_MESSAGES = 0;

/** The widget's content before the first message. */
export async function readPublicChatbot(deps: VisitorDeps, chatbotId: string, context: RequestContext) {
  requireOwnOrigin(deps, context);
  const { id, name, greeting, brandColor, businessName, agencyName, logoUrl, privacyUrl, locale } = await requireServed(deps, chatbotId);
  return { id, name, greeting, brandColor, businessName, agencyName, logoUrl, privacyUrl, locale, textMax: LIMITS.visitorTextMax };
}

/** The newest messages of a visitor's own conversation. */
export async function readPublicConversation(
  deps: VisitorDeps,
  { params }: Input<Routes['getPublicConversation']>,
  context: RequestContext,
) {
  requireOwnOrigin(deps, context);
  const facts = await requireServed(deps, params.chatbotId);
  const view = (await readOf(deps, facts, params.conversationId, MESSAGES_MAX)) ?? refuse('not_found');
  return {
    conversationId: params.conversationId,
    status: view.status,
    humanName: view.humanName,
    isAnswering: view.isAnswering,
    messages: view.messages.map(toPublicMessage),
  };
}

/** Shows the inbox that the visitor writes. */
export async function announceVisitorTyping(
  deps: VisitorDeps,
  { params }: Input<Routes['announceVisitorTyping']>,
  context: RequestContext,
) {
  requireOwnOrigin(deps, context);
  const facts = await requireServed(deps, params.chatbotId);
  const { id: conversationId } = (await readOf(deps, facts, params.conversationId, NO_MESSAGES)) ?? refuse('not_found');
  const { partnerId, clientId } = facts;
  deps.live.sendTyping({ partnerId, clientId, conversationId, author: 'visitor', name: '', isTyping: true });
}

async function requireServed(deps: VisitorDeps, chatbotId: string): Promise<ChatbotFacts> {
  return (await deps.chatbot.findServed(chatbotId)) ?? refuse('not_found');
}

function readOf(deps: VisitorDeps, { partnerId, clientId, id: chatbotId }: ChatbotFacts, visitorKey: string, most: number) {
  return deps.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) => readPublic(tx, { chatbotId, visitorKey }, null, most));
}
