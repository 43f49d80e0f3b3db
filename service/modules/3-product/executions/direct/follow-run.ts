import { setTimeout as delay } from 'node:timers/promises';
import { afterDirectCall, afterDirectLookup, type DirectLookup } from '@partner-portal/core/execution/direct.ts';
import { type EngineReport, readDirectAnswer, readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import { contextOfRun } from '@partner-portal/core/tracing/trace-context.ts';
import type { Log } from '#platform/log.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { type EngineDispatch, findRun } from '../engine.ts';
import { runAttributes } from '../run-trace.ts';

export type FollowDeps = {
  engine: EngineDispatch;
  log: Log;
  /** How long one call waits for its answer (ms); longer than the engine waits for its flow. */
  callMs: number;
  /** How long a run is followed in all (ms). */
  waitMs: number;
  tracer?: Tracer | undefined;
};

/** One run in the engine. `mayBeSent`: a process that died may have called the flow, so the engine is asked first. */
export type FollowedRun = {
  executionId: string;
  workflowId: string;
  providerFlowId: string | null;
  sentAt: Date;
  mayBeSent: boolean;
  payload: () => unknown;
  signal: AbortSignal;
};

export type Followed =
  | { is: 'ended'; report: EngineReport }
  | { is: 'failed'; code: 'dispatch_failed' | 'timeout'; message: string }
  | { is: 'unknown' };

/** A process that was suspended since it last looked might call a flow that another one has called meanwhile. */
const CALL_WITHIN_MS = 4_000;

/**
 * Calls a flow and follows its run to the result. The flow is called only when the engine certainly has no run of it: whenever an answer is
 * lost, late or missing, the engine is asked for the run before anything is sent again.
 */
export async function followRun(deps: FollowDeps, run: FollowedRun): Promise<Followed> {
  const { engine } = deps;
  const flowId = run.providerFlowId;
  if (flowId === null) return { is: 'failed', code: 'dispatch_failed', message: 'This agent is not set up.' };
  const startedMs = performance.now();
  const isOver = (): boolean => run.signal.aborted || performance.now() - startedMs >= deps.waitMs;
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: run.signal }).catch(() => undefined);
  let mayBeSent = run.mayBeSent;
  let knownMs = startedMs;
  let awaySinceMs: number | undefined;
  let misses = 0;
  let looks = 0;

  for (;;) {
    if (mayBeSent || performance.now() - knownMs > CALL_WITHIN_MS) {
      const { found, report } = await look(deps, run, flowId);
      const step = afterDirectLookup(found, { looks: looks++, isOver: isOver() });
      if (step.next === 'take' && report) return { is: 'ended', report };
      // A call that was cut short says nothing about how long the flow takes.
      if (run.signal.aborted || step.next === 'leave') return { is: 'unknown' };
      if (step.next === 'time_out') return timedOut(deps.waitMs);
      if (step.next === 'look') {
        await pause(step.waitMs);
        continue;
      }
      mayBeSent = false;
      knownMs = performance.now();
    }
    if (run.signal.aborted) return { is: 'unknown' };
    const span = deps.tracer?.start({ parent: contextOfRun(run.executionId) });
    const answer = await engine.callFlow(flowId, run.executionId, run.payload(), {
      timeoutMs: deps.callMs,
      signal: run.signal,
      traceparent: span?.traceparent,
    });
    span?.end({
      name: 'call flow',
      kind: 'client',
      attributes: { ...runAttributes(run), 'portal.dispatch.outcome': answer.kind },
      error: answer.kind === 'answered' ? null : answer.kind,
    });
    const report = answer.kind === 'answered' ? readDirectAnswer(answer.body, run) : undefined;
    if (report) return { is: 'ended', report };
    if (answer.kind === 'not_found') misses += 1;
    awaySinceMs = answer.kind === 'unreachable' ? (awaySinceMs ?? performance.now()) : undefined;
    const awayMs = awaySinceMs === undefined ? 0 : performance.now() - awaySinceMs;
    const step = afterDirectCall(answer.kind, { awayMs, misses });
    if (step.next === 'fail') return { is: 'failed', code: 'dispatch_failed', message: step.message };
    mayBeSent = step.next === 'look';
    if (!mayBeSent && isOver()) return { is: 'failed', code: 'dispatch_failed', message: 'The automation platform could not be reached.' };
    await pause(step.waitMs);
    knownMs = performance.now();
  }
}

async function look(deps: FollowDeps, run: FollowedRun, flowId: string): Promise<{ found: DirectLookup; report?: EngineReport }> {
  try {
    const found = await findRun(deps.engine, flowId, run.executionId, run.sentAt);
    if (found === null) return { found: 'none' };
    if (found === 'unseen') return { found };
    const verdict = readEngineRun(found, run);
    return verdict.is === 'ended' ? { found: 'ended', report: verdict.report } : { found: 'running' };
  } catch (error) {
    deps.log.warn({ err: error, executionId: run.executionId }, 'could not ask the engine about a run of a chatbot');
    return { found: 'unanswered' };
  }
}

function timedOut(waitMs: number): Followed {
  const seconds = Math.round(waitMs / 1000);
  return { is: 'failed', code: 'timeout', message: `No result within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}` };
}
