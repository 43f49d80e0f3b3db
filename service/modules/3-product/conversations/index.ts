import { forgetChatSpending } from '#modules/1-ledger/metering/index.ts';
import { inboxHandlers } from './inbox/routes.ts';
import { newId } from '#platform/ids.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { ConversationsDeps, ConversationsOptions } from './deps.ts';
import { remindOfWaiting } from './handoff/remind.ts';
import { createLive } from './live/live.ts';
import { deleteOldConversations } from './retention/delete-old.ts';
import { previewChatbot } from './preview/preview-chatbot.ts';
import { createTurns } from './turns/turns.ts';
import { announceVisitorTyping, readPublicChatbot, readPublicConversation } from './visitor/read-conversation.ts';
import { receiveVisitorMessage } from './visitor/receive-message.ts';
import { type StreamDeps, streamPublicConversation } from './visitor/stream-conversation.ts';
import { createStreamCounts } from './visitor/stream-counts.ts';

export { inboxHandlers } from './inbox/routes.ts';
export { chatbotAnswersChanged, conversationHandedOff, type HandedOff } from './facts.ts';

/** Conversations of website visitors with a client's chatbot, and the turns that answer them. */
export function conversations(options: ConversationsOptions) {
  const live = createLive(options);
  const deps: ConversationsDeps = { ...options, live, worker: newId() };
  const turns = createTurns(deps);
  const visitor = { ...deps, turns, streams: createStreamCounts() };
  return {
    routes: { ...inboxHandlers(deps), ...visitorHandlers(visitor), ...previewHandlers(deps) },
    crons: [
      // The interval of `start` is shorter; the cron still works when no process runs it.
      defineCron('conversations.turns', '* * * * *', async () => void (await turns.takeOver())),
      defineCron('conversations.remind', '* * * * *', async () => void (await remindOfWaiting(deps))),
      defineCron('conversations.forget', '41 3 * * *', async ({ signal }) => {
        await deleteOldConversations(deps, signal);
        await forgetChatSpending(deps);
      }),
    ],
    live,
    takeOver: turns.takeOver,
    remind: () => remindOfWaiting(deps),
    forget: (signal: AbortSignal = new AbortController().signal) => deleteOldConversations(deps, signal),
    /** Starts taking over the turns of processes that died. */
    start: turns.start,
    async stop() {
      await turns.stop();
      await live.close();
    },
  };
}

export type Conversations = ReturnType<typeof conversations>;

function previewHandlers(deps: ConversationsDeps) {
  return defineHandlers({ previewChatbot: ({ body }, context) => previewChatbot(deps, context, body) });
}

function visitorHandlers(visitor: StreamDeps) {
  return defineHandlers({
    getPublicChatbot: ({ params }, context) => readPublicChatbot(visitor, params.chatbotId, context),
    sendVisitorMessage: (input, context) => receiveVisitorMessage(visitor, input, context),
    getPublicConversation: (input, context) => readPublicConversation(visitor, input, context),
    streamPublicConversation: (input, context) => streamPublicConversation(visitor, input, context),
    announceVisitorTyping: async (input, context) => void (await announceVisitorTyping(visitor, input, context)),
  });
}
