import type { BodyOf } from '@partner-portal/contract/define-route.ts';
import { executionRoutes } from '@partner-portal/contract/routes/executions.ts';
import { cleanError } from './error.ts';
import type { ReportedStep } from './timeline.ts';
import { OUTCOME_STEP } from '../template/template.ts';

/** What the engine's own run says of a run whose report has not come (product.md §8: "a sweep also asks the engine"). Pure. */

const reportBody = executionRoutes.reportExecution.body;
export type EngineReport = BodyOf<typeof executionRoutes.reportExecution>;

/** The members of the engine's run that matter here. */
export type EngineRun = {
  status?: string | undefined;
  failedStep?: { displayName?: string | undefined } | null | undefined;
  steps?: Record<string, { status?: string | undefined; output?: unknown }> | null | undefined;
};

export type EngineVerdict = { is: 'running' } | { is: 'ended'; report: EngineReport };

const UNDER_WAY: ReadonlySet<string> = new Set(['QUEUED', 'RUNNING', 'PAUSED']);

/**
 * Whether the engine still works on the run, or how it ended. The flow works its result out before it reports, so that result is
 * taken word for word where it is there. Nothing of the engine's own error texts is: they quote stacks, paths and ids.
 */
export function readEngineRun(run: EngineRun, ids: { executionId: string; workflowId: string }): EngineVerdict {
  const { status = 'RUNNING' } = run;
  if (UNDER_WAY.has(status)) return { is: 'running' };
  const told = reportBody.safeParse(reportOf(run.steps?.[OUTCOME_STEP]?.output));
  if (told.success && told.data.executionId === ids.executionId && told.data.workflowId === ids.workflowId)
    return { is: 'ended', report: told.data };
  if (status === 'SUCCEEDED') return { is: 'ended', report: { ...ids, status: 'SUCCEEDED' } };
  const stepName = run.failedStep?.displayName?.slice(0, 120) ?? null;
  return { is: 'ended', report: { ...ids, status: 'FAILED', error: { ...explain(status), stepName } } };
}

/**
 * The steps of a run whose report told none: as its flow worked them out, else which steps of its definition the engine ran and how
 * each ended. An HTTP step's output stays with the engine: it quotes headers.
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

function explain(status: string): { code: string; message: string } {
  switch (status) {
    case 'FAILED':
      return { code: 'step_failed', message: 'A step of this run failed.' };
    case 'TIMEOUT':
      return { code: 'engine_timeout', message: 'This run took longer than the automation platform allows.' };
    case 'MEMORY_LIMIT_EXCEEDED':
    case 'LOG_SIZE_EXCEEDED':
      return { code: 'engine_limit', message: 'This run needed more room than the automation platform allows.' };
    case 'CANCELED':
      return { code: 'engine_cancelled', message: 'This run was stopped in the automation platform.' };
    default:
      return { code: 'engine_error', message: 'The automation platform could not finish this run.' };
  }
}

function reportOf(output: unknown): unknown {
  return typeof output === 'object' && output !== null && 'report' in output ? output.report : undefined;
}
