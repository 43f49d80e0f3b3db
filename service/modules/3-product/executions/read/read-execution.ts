import { readEngineRun, readEngineSteps } from '@partner-portal/core/execution/engine-outcome.ts';
import { hideSecrets } from '@partner-portal/core/execution/payload.ts';
import { readableStepInput, timeline, type ReportedStep } from '@partner-portal/core/execution/timeline.ts';
import type { Json, Template } from '@partner-portal/core/template/types.ts';
import { maskInput, maskJson } from '@partner-portal/core/template/mask.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { refuse } from '#platform/refuse.ts';
import type { EngineDispatch, EngineRun } from '../dispatch/engine.ts';
import { storeStepTimes } from '../store-hot.ts';
import { runAnswerFor } from './run-answer.ts';
import { storableJson } from '../accept/storable.ts';
import { countRunsSince, findRun, type RunDetailRow } from './store.ts';

export type ReadDeps = { db: Database; engine: EngineDispatch; templateOf: (name: string) => Template | undefined; log: Log };

/** How long a page waits for the engine's step times; they are asked for again on the next view. */
const ENGINE_BUDGET_MS = 1_500;
/** The engine lists runs by flow only: one that is buried deeper is not looked for. */
const LOOK_THROUGH_MAX = 40;

/** One run with its step timeline. The engine's own step times are asked for once and kept. */
export async function readExecution(deps: ReadDeps, actor: Actor, id: string) {
  const { row, near } = await inScope(deps.db, actor, undefined, async (tx) => {
    const found = await findRun(tx, id);
    if (!found) return refuse('not_found');
    const wantsTimes = found.status !== 'RUNNING' && found.timed === false && found.providerFlowId !== null && actor.role !== 'CLIENT';
    return { row: found, near: wantsTimes && (await countRunsSince(tx, found.workflowId, id, LOOK_THROUGH_MAX)) < LOOK_THROUGH_MAX };
  });
  const steps = near ? await withEngineTimes(deps, row) : toldSteps(row.steps);
  return detailAnswer(deps, actor, row, steps);
}

function detailAnswer(deps: ReadDeps, actor: Actor, row: RunDetailRow, told: ReportedStep[]) {
  const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
  const forClient = actor.role === 'CLIENT';
  const input = row.input === null ? null : (hideSecrets(row.input) as { [key: string]: Json }); // stored as JSON
  const output = hideSecrets(row.output ?? null) as Json; // stored as JSON
  const steps = timeline(template?.steps ?? [], told, row.status as 'RUNNING'); // one of the three, as the table's check says
  return {
    ...runAnswerFor(actor, row),
    templateName: row.templateName ?? '',
    payloadExpired: !row.hasPayload,
    input: input && forClient ? maskEvent(template, input) : input,
    output: forClient ? maskJson(output) : output,
    // A client sees labels and results, not what went through the steps.
    steps: steps.map(({ input: stepInput, output, ...step }) =>
      forClient
        ? { ...step, error: null }
        : {
            ...step,
            ...(stepInput === undefined ? {} : { input: hideSecrets(readableStepInput(stepInput)) as Json }),
            ...(output === undefined ? {} : { output: hideSecrets(output) as Json }),
          },
    ),
    previousId: row.previousId,
    nextId: row.nextId,
  };
}

function maskEvent(template: Template | undefined, input: { [key: string]: Json }): { [key: string]: Json } {
  if (template) return maskInput(template, input);
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, maskJson(value)]));
}

function toldSteps(steps: unknown[] | null): ReportedStep[] {
  return (steps ?? []) as ReportedStep[]; // checked by the contract when the report came
}

async function withEngineTimes(deps: ReadDeps, row: RunDetailRow): Promise<ReportedStep[]> {
  const told = toldSteps(row.steps);
  const run = await askEngine(deps, row);
  if (run === undefined) return told;
  const ids = { executionId: row.id, workflowId: row.workflowId };
  const timed = run === null ? told : mergeTimes(told.length > 0 ? told : readEngineSteps(run, ids, stepNames(deps, row)), run);
  // A run that only the timeout ended goes on there: what it does yet is asked for next time.
  if (run !== null && readEngineRun(run, ids).is === 'running') return timed;
  // Not found is kept as well: a run that the engine has forgotten will not come back.
  await storeStepTimes(deps.db, row.id, storableJson(timed)).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'step times not kept'),
  );
  return timed;
}

function stepNames({ templateOf }: ReadDeps, row: RunDetailRow): string[] {
  return templateOf(row.templateName ?? '')?.steps.map((step) => step.name) ?? [];
}

/** The engine's run, null when it knows none, undefined when it did not answer in time. */
async function askEngine(deps: ReadDeps, row: RunDetailRow): Promise<EngineRun | null | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ENGINE_BUDGET_MS);
  const asked = deps.engine.findRun(row.providerFlowId ?? '', row.id, row.startedAt).catch((error: unknown) => {
    deps.log.debug({ err: error, executionId: row.id }, 'no step times from the engine');
    return undefined;
  });
  const run = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return run === 'unseen' ? undefined : run;
}

/** The engine knows durations in milliseconds and no start times; a step starts when those before it have ended. */
function mergeTimes(told: ReportedStep[], run: EngineRun): ReportedStep[] {
  const steps = run.steps ?? {};
  let at = run.startTime ? new Date(run.startTime).getTime() : Number.NaN;
  return told.map((step) => {
    const seen = steps[step.name];
    if (seen?.duration === undefined) return step;
    const startedAt = Number.isNaN(at) ? null : new Date(at).toISOString();
    at += seen.duration;
    return { ...step, startedAt, durationMs: seen.duration, ...(seen.input === undefined ? {} : { input: hideSecrets(seen.input) }) };
  });
}
