import type { ModelProgress } from '#adapters/language-models/index.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { estimateOutput } from './spent.ts';
import { noteCalls } from './store-calls.ts';

const EVERY_MS = 1_000;

/**
 * Notes what answers under way have spent, for the case that this process dies before it settles them: once the provider began to answer, then
 * about once a second, all calls of the process in one statement.
 */
export type CallNotes = {
  /** Follows a call; returns a function that stops following it. */
  follow(callId: string, progress: ModelProgress): () => void;
  /** Resolves when no note is under way. */
  settled(): Promise<void>;
};

export function createCallNotes({ db, log }: { db: Database; log: Log }): CallNotes {
  const calls = new Map<string, { progress: ModelProgress; noted: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isDue = false;

  const flush = (): void => {
    isDue = true;
    if (writing) return;
    writing = (async () => {
      while (isDue) {
        isDue = false;
        const notes = [...calls].flatMap(([callId, call]) => {
          const outputTokens = call.progress.isBegun ? estimateOutput(call.progress) : 0;
          if (outputTokens <= call.noted) return [];
          return [{ callId, outputTokens, call }];
        });
        if (notes.length === 0) continue;
        await noteCalls(db, notes);
        // Only then: a note that failed is made again.
        for (const { call, outputTokens } of notes) call.noted = outputTokens;
      }
    })()
      .catch((error: unknown) => log.warn({ err: error }, 'tokens of language models could not be noted'))
      .finally(() => (writing = undefined));
  };
  const schedule = (): void => {
    timer ??= setInterval(() => {
      if (calls.size > 0) return flush();
      clearInterval(timer);
      timer = undefined;
    }, EVERY_MS).unref();
  };
  return {
    follow(callId, progress) {
      calls.set(callId, { progress, noted: 0 });
      progress.onBegun = flush;
      schedule();
      return () => {
        calls.delete(callId);
        delete progress.onBegun;
      };
    },
    async settled() {
      clearInterval(timer);
      timer = undefined;
      await writing;
    },
  };
}
