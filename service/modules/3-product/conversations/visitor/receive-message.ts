import { createHmac } from 'node:crypto';
import type { Input, RequestContext, Routes } from '#platform/http/context.ts';
import { answer } from '#platform/http/answer.ts';
import { refuse } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import type { Ended } from '../turns/end-turn.ts';
import { type Basis, readBasis } from '../turns/run-turn.ts';
import type { Turn } from '../store-turn.ts';
import type { Turns } from '../turns/turns.ts';
import { countMessage } from './limits.ts';
import { visitorLocale } from './visitor-locale.ts';
import { visitorOf } from './visitor-of.ts';
import { toPublicMessage } from './public-message.ts';
import { requireOwnOrigin } from './same-origin.ts';
import { type Received, receiveMessage } from './store.ts';
import { waitForReply } from './wait-for-reply.ts';

export type VisitorDeps = ConversationsDeps & { turns: Turns };

/** Stores what a visitor wrote and answers it: with the reply once it is complete, or at once with 202 when the caller prefers that. */
export async function receiveVisitorMessage(
  deps: VisitorDeps,
  { params, body }: Input<Routes['sendVisitorMessage']>,
  context: RequestContext,
) {
  requireOwnOrigin(deps, context);
  const { chatbotId } = params;
  const facts = (await deps.chatbot.findServed(chatbotId)) ?? refuse('not_found');
  await countMessage(deps, facts, { visitorId: body.visitorId, address: context.address });
  const { partnerId, clientId } = facts;
  const locale = visitorLocale(context.header('accept-language'), facts.locale);
  const visitor = visitorOf(deps.secret, partnerId, context.address);
  const visitorKey = body.conversationId ?? firstKey(deps, chatbotId, body);
  // As the agency: a route may name an agent of all its clients, which no client sees.
  const stored = await deps.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, async (tx) => {
    const received = await receiveMessage(tx, deps.worker, {
      visitorKey,
      chatbotId,
      clientId,
      isFirst: body.conversationId === undefined,
      clientMessageId: body.clientMessageId ?? null,
      text: body.text,
      origin: originOf(body.origin),
      locale,
      visitor,
    });
    if (!received) return refuse('not_found');
    const turn = toTurn(deps, { partnerId, clientId, chatbotId, locale, address: context.address, visitor }, received);
    return { received, turn, basis: turn ? await readBasis(deps, tx, facts, turn) : null };
  });
  const ending = stored.turn ? begin(deps, stored.turn, stored.basis) : null;
  const { conversationId, messageId, status } = stored.received;
  if (context.header('prefer')?.includes('respond-async'))
    return answer(202, { conversationId: visitorKey, messageId, status }, { 'preference-applied': 'respond-async' });
  return replyTo(
    deps,
    { partnerId, clientId, conversationId, visitorKey, messageId, status },
    ending,
    AbortSignal.any([context.signal, deps.turns.stopping]),
  );
}

/** Runs on when the visitor has left: what was begun is finished, and waits in the conversation. */
function begin(deps: VisitorDeps, turn: Turn, basis: Basis | null): Promise<Ended | undefined> {
  const ending = deps.turns.run(turn, basis);
  ending.catch(() => undefined);
  return ending;
}

type Sent = {
  partnerId: string;
  clientId: string;
  conversationId: string;
  visitorKey: string;
  messageId: string;
  status: Received['status'];
};

async function replyTo(deps: VisitorDeps, sent: Sent, ending: Promise<Ended | undefined> | null, signal: AbortSignal) {
  const { visitorKey: conversationId, messageId } = sent;
  const ended = await ending;
  if (ended?.messageId && ended.messageAt) {
    const { reply: text, sources, messageAt: at, status } = ended;
    const message = { id: ended.messageId, author: 'bot' as const, authorName: '', text, sources, clientMessageId: null, at };
    return { conversationId, reply: text, status, message };
  }
  const state = await waitForReply(deps, sent, signal);
  if (state === 'late') return answer(202, { conversationId, messageId, status: sent.status });
  const message = state.reply ? toPublicMessage(state.reply) : null;
  return { conversationId, reply: message?.text ?? null, status: state.status, message };
}

/**
 * Returns the visitor's key of a new conversation: random, or for a message with an id of its sender the same one each time, so that a first
 * message whose reply was lost is not a second conversation.
 */
function firstKey(
  { secret }: Pick<VisitorDeps, 'secret'>,
  chatbotId: string,
  body: { clientMessageId?: string | undefined; visitorId?: string | undefined },
): string {
  if (body.clientMessageId === undefined) return crypto.randomUUID();
  const text = `conversation:${chatbotId}:${body.visitorId ?? ''}:${body.clientMessageId}`;
  const hash = createHmac('sha256', secret.reveal()).update(text).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function originOf(page: string | undefined): string {
  return page !== undefined && URL.canParse(page) && /^https?:$/.test(new URL(page).protocol) ? new URL(page).origin : '';
}

function toTurn(
  deps: Pick<VisitorDeps, 'clock'>,
  of: Pick<Turn, 'partnerId' | 'clientId' | 'chatbotId' | 'locale' | 'address' | 'visitor'>,
  { conversationId, turnId, messageId, history }: Received,
): Turn | null {
  if (turnId === null) return null;
  return {
    ...of,
    conversationId,
    id: turnId,
    state: 'deciding',
    uptoMessageId: messageId,
    intent: null,
    workflowId: null,
    inputs: null,
    outcome: null,
    attempts: 0,
    startedAt: deps.clock.now(),
    history: history ?? [],
  };
}
