import { readEngineRun, readEngineSteps } from '@partner-portal/core/execution/engine-outcome.ts';
import { hideSecrets } from '@partner-portal/core/execution/payload.ts';
import { providerAnswer, readableStepInput, timeline, type ReportedStep } from '@partner-portal/core/execution/timeline.ts';
import type { Json, JsonObject, Template } from '@partner-portal/core/template/types.ts';
import { maskInput, maskJson } from '@partner-portal/core/template/mask.ts';
import { stepSentence } from '@partner-portal/core/template/sentence.ts';
import { templateTextsOf } from '@partner-portal/catalog/index.ts';
import { contextOfRun } from '@partner-portal/core/tracing/trace-context.ts';
import { fillTraceUrl } from '@partner-portal/core/tracing/trace-url.ts';
import { recordLook } from '#modules/1-ledger/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { refuse } from '#platform/refuse.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { type EngineDispatch, type EngineRun, findRun } from '../engine.ts';
import { type Reader, toExecutionRecordFor } from './execution-record.ts';
import { inputReadings } from './input-readings.ts';
import { storableJson } from '../storable.ts';
import { COUNTED_MAX, type ExecutionDetailRow, findExecutionDetail, storeStepTimes } from './store-detail.ts';

export type ReadDeps = {
  db: Database;
  engine: EngineDispatch;
  templateOf: (name: string) => Template | undefined;
  log: Log;
  tracer?: Tracer | undefined;
  traceUrlTemplate?: string | null;
};

/** How long a request waits for the engine's step times; the next one requests them again. */
const ENGINE_BUDGET_MS = 1_500;

/** Reads one execution with its step timeline. The engine's step times are fetched once and stored. */
export async function readExecution(deps: ReadDeps, actor: Actor, id: string) {
  const { row, reader, isFindable } = await inScope(deps.db, actor, undefined, async (tx) => {
    const found = await findExecutionDetail(tx, id);
    if (!found) return refuse('not_found');
    if (found.clientId !== null) await recordLook(tx, actor, 'runs', { partnerId: found.partnerId, clientId: found.clientId });
    return {
      row: found,
      reader: { role: actor.role, locale: await readerLocale(tx, actor) },
      isFindable: found.counted !== null && found.counted < COUNTED_MAX && actor.role !== 'CLIENT',
    };
  });
  const steps = isFindable ? await withEngineTimes(deps, row) : reportedSteps(row.steps);
  // Staff see the page of a run in a view-as session.
  const isStaff = actor.role === 'ADMIN' || actor.actingUserId !== null;
  return { ...toDetail(deps, reader, row, steps), trace: isStaff ? traceOf(deps, row.id) : null };
}

function toDetail(deps: ReadDeps, reader: Reader, row: ExecutionDetailRow, reported: ReportedStep[]) {
  const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
  const forClient = reader.role === 'CLIENT';
  const input = row.input === null ? null : (hideSecrets(row.input) as { [key: string]: Json }); // stored as JSON
  const output = hideSecrets(row.output ?? null) as Json; // stored as JSON
  const steps = timeline(template ? templateTextsOf(template, reader.locale).steps : [], reported, row.status as 'RUNNING'); // the table's check allows these three only
  // A run that ended early did so in the last step that it reached.
  const last = steps.findLast((step) => step.status === 'succeeded');
  const stopped = readStop(output);
  const sentenceOf = (name: string): string | null => {
    const step = steps.find((one) => one.name === name);
    if (step?.status !== 'succeeded') return null;
    if (stopped !== null && step === last) return stopped;
    return stepSentence(
      template?.steps.find((one) => one.name === name),
      hideSecrets(step.output),
    );
  };
  return {
    ...toExecutionRecordFor(reader, row),
    templateName: row.templateName ?? '',
    payloadExpired: !row.hasPayload,
    input: input && forClient ? maskEvent(template, input) : input,
    understood: inputReadings(
      template && templateTextsOf(template, reader.locale),
      { came: input, understood: row.understood === null ? null : (hideSecrets(row.understood) as JsonObject), remarks: row.remarks }, // stored as JSON
      { locale: reader.locale, timezone: row.timezone, isMasked: forClient },
    ),
    output: forClient ? maskJson(output) : output,
    // A client sees labels and results, not the payloads of steps.
    steps: steps.map(({ input: stepInput, output, ...step }) =>
      forClient
        ? { ...step, error: null, sentence: null }
        : {
            ...step,
            sentence: sentenceOf(step.name),
            ...(stepInput === undefined ? {} : { input: hideSecrets(readableStepInput(stepInput)) as Json }),
            ...(output === undefined ? {} : { output: hideSecrets(output) as Json }),
          },
    ),
    lastRerun: row.lastRerun,
    previousId: row.previousId,
    nextId: row.nextId,
  };
}

/** The trace of a run; null where none is recorded. */
function traceOf({ tracer, traceUrlTemplate }: ReadDeps, executionId: string): { id: string; url: string | null } | null {
  const { traceId } = contextOfRun(executionId);
  if (!tracer?.isSampled(traceId)) return null;
  return { id: traceId, url: traceUrlTemplate ? fillTraceUrl(traceUrlTemplate, traceId) : null };
}

/** Why a run ended early on purpose; null for any other. */
function readStop(output: Json): string | null {
  if (typeof output !== 'object' || output === null || Array.isArray(output) || output['skipped'] !== true) return null;
  const { message } = output;
  return typeof message === 'string' && message !== '' ? `${message.replace(/\.$/, '')}.` : null;
}

function maskEvent(template: Template | undefined, input: { [key: string]: Json }): { [key: string]: Json } {
  if (template) return maskInput(template, input);
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, maskJson(value)]));
}

function reportedSteps(steps: unknown[] | null): ReportedStep[] {
  return (steps ?? []) as ReportedStep[]; // validated by the contract when the report arrived
}

async function withEngineTimes(deps: ReadDeps, row: ExecutionDetailRow): Promise<ReportedStep[]> {
  const reported = reportedSteps(row.steps);
  const run = await fetchEngineRun(deps, row);
  if (run === undefined) return reported;
  const ids = { executionId: row.id, workflowId: row.workflowId };
  const timed = run === null ? reported : mergeTimes(reported.length > 0 ? reported : readEngineSteps(run, ids, stepNames(deps, row)), run);
  // An execution that timed out may still run in the engine: its times are fetched again next time.
  if (run !== null && readEngineRun(run, ids).is === 'running') return timed;
  // "Not found" is stored as well: the engine does not restore a run it has deleted.
  await storeStepTimes(deps.db, row.id, storableJson(timed)).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'could not store step times'),
  );
  return timed;
}

function stepNames({ templateOf }: ReadDeps, row: ExecutionDetailRow): string[] {
  return templateOf(row.templateName ?? '')?.steps.map((step) => step.name) ?? [];
}

/** Returns the engine's run, null when it knows none, undefined when it did not respond in time. */
async function fetchEngineRun(deps: ReadDeps, row: ExecutionDetailRow): Promise<EngineRun | null | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ENGINE_BUDGET_MS);
  const fetched = findRun(deps.engine, row.providerFlowId ?? '', row.id, row.startedAt).catch((error: unknown) => {
    deps.log.debug({ err: error, executionId: row.id }, 'could not fetch step times from the engine');
    return undefined;
  });
  const run = await Promise.race([fetched, late.promise]);
  clearTimeout(timer);
  return run === 'unseen' ? undefined : run;
}

/** Adds the engine's durations (ms). It has no start times, so a step starts when the one before it ended. */
function mergeTimes(reported: ReportedStep[], run: EngineRun): ReportedStep[] {
  const steps = run.steps ?? {};
  let at = run.startTime ? new Date(run.startTime).getTime() : Number.NaN;
  return reported.map((step) => {
    const seen = steps[step.name];
    if (seen?.duration === undefined) return step;
    const startedAt = Number.isNaN(at) ? null : new Date(at).toISOString();
    at += seen.duration;
    const answer = step.status === 'failed' ? providerAnswer(seen.output) : undefined;
    return {
      ...step,
      startedAt,
      durationMs: seen.duration,
      ...(seen.input === undefined ? {} : { input: hideSecrets(seen.input) }),
      ...(answer === undefined ? {} : { output: answer }),
    };
  });
}
