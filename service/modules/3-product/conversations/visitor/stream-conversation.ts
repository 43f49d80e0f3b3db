import type { ChatbotFacts } from '../deps.ts';
import { networkOf } from '#platform/http/network.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import type { Input, RequestContext, Routes } from '#platform/http/context.ts';
import { followChanges } from '#platform/http/follow-changes.ts';
import { isId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import type { VisitorDeps } from './receive-message.ts';
import { createReplyReader } from './reply-reader.ts';
import { toPublicMessage } from './public-message.ts';
import { requireOwnOrigin } from './same-origin.ts';
import { type PublicView, readPublic } from './store.ts';
import type { StreamCounts } from './stream-counts.ts';

const MESSAGES_MAX = 100;
/** How soon an open stream notices that its chatbot is switched off. */
const SERVED_MS = 15_000;
const NO_MESSAGE = '00000000-0000-0000-0000-000000000000';

export type StreamDeps = VisitorDeps & { streams: StreamCounts };

/** Streams a visitor's conversation: first what is missing after `Last-Event-ID`, then as it happens. */
export async function streamPublicConversation(
  deps: StreamDeps,
  { params }: Input<Routes['streamPublicConversation']>,
  context: RequestContext,
): Promise<EventsAnswer> {
  requireOwnOrigin(deps, context);
  const facts = (await deps.chatbot.findServed(params.chatbotId)) ?? refuse('not_found');
  const keys = { chatbot: facts.id, address: networkOf(context.address) };
  deps.streams.requireRoom(keys);
  const read = (after: string | null): Promise<PublicView | undefined> => readView(deps, facts, params.conversationId, after);
  // The conversation is proven before the stream is opened.
  const { id: conversationId } = (await read(NO_MESSAGE.replaceAll('0', 'f'))) ?? refuse('not_found');
  return {
    kind: 'events',
    takePlace: (end) => deps.streams.hold(keys, end),
    source: {
      open(send, lastEventId, end) {
        let last = lastEventId !== null && isId(lastEventId) ? lastEventId : NO_MESSAGE;
        let shown = '';
        const emit = (event: string, data: unknown): void => send({ id: last, event, data });
        const reply = createReplyReader({
          send: (delta) => emit('delta', delta),
          ask: () => deps.live.askForReply(conversationId),
        });
        const follow = followChanges({
          log: context.log,
          what: 'a visitor’s conversation',
          subscribe: (changed) => deps.live.listen(conversationId, { changed, missed: changed, delta: reply.take, typing }),
          read: async () => {
            const view = await read(last);
            if (!view) return end?.();
            for (const row of view.messages) {
              last = row.id;
              if (row.turnId !== null && row.author === 'bot') reply.end(row.turnId);
              emit('message', { ...toPublicMessage(row), turnId: row.turnId });
            }
            const { status, humanName, isAnswering } = view;
            const state = JSON.stringify([status, humanName, isAnswering]);
            if (state !== shown) emit('status', { status, humanName, isAnswering });
            shown = state;
            if (isAnswering) reply.begin();
          },
        });
        function typing({ author, name, isTyping }: { author: string; name: string; isTyping: boolean }): void {
          if (author !== 'visitor') emit('typing', { author, name, isTyping });
        }
        const look = async (): Promise<void> => {
          if (!(await deps.chatbot.findServed(facts.id))) end?.();
        };
        const served = setInterval(() => void look().catch(() => undefined), deps.servedMs ?? SERVED_MS);
        void follow.read();
        return () => {
          clearInterval(served);
          follow.stop();
        };
      },
    },
  };
}

function readView(deps: VisitorDeps, facts: ChatbotFacts, visitorKey: string, after: string | null): Promise<PublicView | undefined> {
  const { partnerId, clientId, id: chatbotId } = facts;
  return deps.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) => readPublic(tx, { chatbotId, visitorKey }, after, MESSAGES_MAX));
}
