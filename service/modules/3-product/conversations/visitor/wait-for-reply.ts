import type { ConversationsDeps } from '../deps.ts';
import { readReply, type ReplyState } from './store.ts';

/** Longer than a model's call may take; the reply then arrives through the stream. */
const WAIT_MS = 75_000;
/** A notice may be lost. */
const LOOK_MS = 5_000;

/** Waits for the reply to a message, in whichever process it is written; `late` when it takes too long or the caller has left. */
export async function waitForReply(
  deps: Pick<ConversationsDeps, 'db' | 'live'>,
  of: { partnerId: string; clientId: string; conversationId: string; messageId: string },
  signal: AbortSignal,
): Promise<ReplyState | 'late'> {
  const { partnerId, clientId, conversationId, messageId } = of;
  const until = performance.now() + WAIT_MS;
  let changed = Promise.withResolvers<void>();
  const wake = (): void => changed.resolve();
  const stop = deps.live.listen(conversationId, { changed: wake, missed: wake });
  signal.addEventListener('abort', wake);
  try {
    for (;;) {
      changed = Promise.withResolvers();
      const state = await deps.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) => readReply(tx, conversationId, messageId));
      if (!state) return 'late';
      if (!state.isPending) return state;
      const leftMs = until - performance.now();
      if (leftMs <= 0 || signal.aborted) return 'late';
      const timer = setTimeout(wake, Math.min(leftMs, LOOK_MS));
      await changed.promise;
      clearTimeout(timer);
    }
  } finally {
    stop();
    signal.removeEventListener('abort', wake);
  }
}
