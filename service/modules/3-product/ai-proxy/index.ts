import { createFairTurns } from '#platform/fair-turns.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { complete } from './calls/complete.ts';
import type { AiReply, AiRequest } from './calls/ai-request.ts';
import { createCallNotes } from './calls/note-calls.ts';
import type { OpenOptions } from './calls/open-call.ts';
import { sweepCalls } from './calls/sweep-calls.ts';
import type { AiProxyDeps, AiProxyOptions } from './deps.ts';
import { aiProxyHandlers } from './routes.ts';

export type { AiMessage, AiReply, AiRequest } from './calls/ai-request.ts';

/** Calls under way in one process. */
export const CALLS_MAX = 256;
const WAITING_MAX = 512;
const BYTES_MAX = 96 * 1024 * 1024;
const WAIT_MS = 10_000;

/** Calls of language models: with the key that counts, metered once, and never beyond the quota. */
export function aiProxy(options: AiProxyOptions) {
  const turns = createFairTurns({
    slots: CALLS_MAX,
    perPart: LIMITS.aiCallsUnderWayPerPartner,
    waitingMax: WAITING_MAX,
    bytesMax: BYTES_MAX,
    waitMs: WAIT_MS,
  });
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const deps: AiProxyDeps = { ...options, turns, notes: createCallNotes(options) };
  const run = (request: AiRequest, how?: OpenOptions): Promise<AiReply> => {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    const call = complete(deps, { ...request, signal }, how).finally(() => underWay.delete(call));
    underWay.add(call);
    return call;
  };
  return {
    routes: aiProxyHandlers({ ...deps, complete: run }),
    crons: [defineCron('ai-proxy.sweep', '* * * * *', async () => void (await sweepCalls(deps)))],
    /** Calls a model; see `complete`. Not inside a transaction. */
    complete: (request: AiRequest) => run(request),
    /** Settles the calls of processes that died. Returns how many. */
    sweep: () => sweepCalls(deps),
    /** Hangs up on the providers and waits until the calls under way are settled. */
    async stop(): Promise<void> {
      closing.abort();
      await Promise.allSettled(underWay);
      await deps.notes.settled();
    },
  };
}

export type AiProxy = ReturnType<typeof aiProxy>;
