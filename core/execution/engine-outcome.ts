import { isObject } from '../json/is-object.ts';
import type { BodyOf } from '@partner-portal/contract/define-route.ts';
import { executionRoutes } from '@partner-portal/contract/routes/executions.ts';
import { cleanError } from './error.ts';
import type { ServiceFailureCode } from './failures.ts';
import type { ReportedStep } from './timeline.ts';
import { OUTCOME_STEP } from '../template/template.ts';

/** Derives the result of an execution without a report from the run stored in the engine. */

const reportBody = executionRoutes.reportExecution.body;
export type EngineReport = BodyOf<typeof executionRoutes.reportExecution>;

/** The relevant members of the engine's run. */
export type EngineRun = {
  status?: string | undefined;
  failedStep?: { displayName?: string | undefined } | null | undefined;
  steps?: Record<string, { status?: string | undefined; output?: unknown }> | null | undefined;
};

export type EngineVerdict = { is: 'running' } | { is: 'ended'; report: EngineReport };

const IN_PROGRESS: ReadonlySet<string> = new Set(['QUEUED', 'RUNNING', 'PAUSED']);

/**
 * Returns whether the engine is still running the flow, or its result. A flow computes its result before it reports, so that result is
 * used as is when present. The engine's own error texts are never used: they quote stacks, paths and ids.
 */
export function readEngineRun(run: EngineRun, ids: { executionId: string; workflowId: string }): EngineVerdict {
  const { status = 'RUNNING' } = run;
  const computed = reportOf(run.steps?.[OUTCOME_STEP]?.output);
  const direct = isDirectRun(run, ids.executionId) ? readDirectAnswer(computed, ids) : undefined;
  // Only the terminal report is left, which is refused for a run without an executionId.
  if (direct) return { is: 'ended', report: direct };
  const parsed = reportBody.safeParse(computed);
  // Only the report is left, which the engine may be trying again: a report that comes later changes nothing.
  if (parsed.success && parsed.data.executionId === ids.executionId && parsed.data.workflowId === ids.workflowId)
    return { is: 'ended', report: parsed.data };
  if (IN_PROGRESS.has(status)) return { is: 'running' };
  if (status === 'SUCCEEDED') return { is: 'ended', report: { ...ids, status: 'SUCCEEDED' } };
  const stepName = run.failedStep?.displayName?.slice(0, 120) ?? null;
  return { is: 'ended', report: { ...ids, status: 'FAILED', error: { ...explain(status), stepName } } };
}

/**
 * Returns the result that a flow answered to a direct call, or undefined when the answer is no result of this workflow. It names no execution:
 * the caller knows which one it called for.
 */
export function readDirectAnswer(answer: unknown, ids: { executionId: string; workflowId: string }): EngineReport | undefined {
  if (!isObject(answer) || 'executionId' in answer) return undefined;
  const parsed = reportBody.safeParse({ ...answer, executionId: ids.executionId });
  return parsed.success && parsed.data.workflowId === ids.workflowId ? parsed.data : undefined;
}

/** Whether the event of a run carries this turn and no executionId. */
function isDirectRun(run: EngineRun, turnId: string): boolean {
  const event = run.steps?.['trigger']?.output;
  const body = isObject(event) ? event['body'] : undefined;
  return isObject(body) && !('executionId' in body) && body['turnId'] === turnId;
}

/**
 * Returns the steps of an execution whose report had none: those the flow computed, else the steps of its definition that the engine
 * ran, with their status. The output of HTTP steps is left out because it quotes headers.
 */
export function readEngineSteps(
  run: EngineRun,
  ids: { executionId: string; workflowId: string },
  names: readonly string[],
): ReportedStep[] {
  const verdict = readEngineRun(run, ids);
  if (verdict.is === 'ended' && verdict.report.steps)
    return verdict.report.steps.map((step) => ({ ...step, error: step.error ? cleanError({ message: step.error }).message : null }));
  return names.flatMap((name) => {
    const seen = run.steps?.[name];
    return seen?.status === undefined ? [] : [{ name, status: seen.status }];
  });
}

function explain(status: string): { code: ServiceFailureCode; message: string } {
  switch (status) {
    case 'FAILED':
      return { code: 'step_failed', message: 'A step of this run failed.' };
    case 'TIMEOUT':
      return { code: 'engine_timeout', message: 'This run took longer than the automation platform allows.' };
    case 'MEMORY_LIMIT_EXCEEDED':
    case 'LOG_SIZE_EXCEEDED':
      return { code: 'engine_limit', message: 'This run needed more memory than the automation platform allows.' };
    case 'CANCELED':
      return { code: 'engine_cancelled', message: 'This run was stopped in the automation platform.' };
    default:
      return { code: 'engine_error', message: 'The automation platform could not finish this run.' };
  }
}

function reportOf(output: unknown): unknown {
  return isObject(output) ? output['report'] : undefined;
}
