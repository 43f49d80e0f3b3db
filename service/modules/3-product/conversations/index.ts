import { forgetChatSpending } from '#modules/1-ledger/metering/index.ts';
import { newId } from '#platform/ids.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { ConversationsDeps, ConversationsOptions } from './deps.ts';
import { remindOfWaiting } from './handoff/remind.ts';
import { createLive } from './live/live.ts';
import { deleteOldConversations } from './retention/delete-old.ts';
import { inboxHandlers, previewHandlers, visitorHandlers } from './routes.ts';
import { createTurns } from './turns/turns.ts';
import { createStreamCounts } from './visitor/stream-counts.ts';

export { endWaitsOfArchived } from './inbox/change-conversation.ts';
export { inboxHandlers } from './routes.ts';
export {
  chatbotAnswersChanged,
  conversationHandedOff,
  type HandedOff,
  visitorWaitEnded,
  visitorWaitReminded,
  type WaitEnded,
  type WaitReminded,
} from './facts.ts';

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
