import { isObject } from '@partner-portal/core/json/is-object.ts';
import { aiCredits } from '@partner-portal/core/quota/credits.ts';
import type { NO_LONGER_RUNS } from '@partner-portal/core/execution/acceptance.ts';
import type { CALL_GOES_ON } from '@partner-portal/core/execution/under-way.ts';
import type { ServiceFailureCode } from '@partner-portal/core/execution/failures.ts';
import { type DecidedRun, hasTexted, isFreeStop, isUntriedStop, readReport } from '@partner-portal/core/execution/reported.ts';
import type { Json, JsonObject, NoMail, Template } from '@partner-portal/core/template/types.ts';
import { toneOf } from '@partner-portal/core/template/outcome.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import { contactKey } from '@partner-portal/core/template/input.ts';
import { repeatsAfterHours, textedNumber } from '@partner-portal/core/template/texted.ts';
import type { KEYWORD_ENDS } from '@partner-portal/core/contact/opt-out.ts';
import { toE164 } from '@partner-portal/core/contact/phone.ts';
import type { NoText } from '@partner-portal/core/contact/texting.ts';
import { storableText } from '@partner-portal/core/text/storable.ts';
import { contextOfRun } from '@partner-portal/core/tracing/trace-context.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineCounter, defineHistogram } from '#platform/measure.ts';
import { BACKGROUND } from '#platform/rest.ts';
import type { Span, Tracer } from '#platform/tracing/tracer.ts';
import type { ChangePublisher } from '../publish-changes.ts';
import { finishExecutions } from './finish-batch.ts';
import { type FinishItem, type FinishResult, readReportFacts, type ReportFacts } from './store-finish.ts';
import { runAttributes } from '../run-trace.ts';
import { storableJson } from '../storable.ts';
import type { FactsOf } from '../workflow-facts.ts';

export type FinishDeps = {
  db: Database;
  publisher: Pick<ChangePublisher, 'changed' | 'ended'>;
  templateOf: (name: string) => Template | undefined;
  factsOf: FactsOf;
  tracer?: Tracer | undefined;
};

/** The report of a flow (contract, reportExecution). */
export type Report = {
  executionId: string;
  workflowId: string;
  status: 'SUCCEEDED' | 'FAILED';
  output?: unknown;
  error?: { code?: string | undefined; message: string; stepName?: string | null | undefined } | null | undefined;
  steps?: readonly { name: string; status: string; output?: unknown; error?: string | null | undefined }[] | null | undefined;
  usage?: { provider?: string | undefined; inputTokens: number; outputTokens: number } | null | undefined;
};

/** Why a run ends before its flow. */
export type EarlyEnd =
  | NoText
  | NoMail
  | (typeof KEYWORD_ENDS)[keyof typeof KEYWORD_ENDS]
  | (typeof NO_LONGER_RUNS)[keyof typeof NO_LONGER_RUNS]
  | typeof CALL_GOES_ON;

/** The end of an execution before its flow, such as of a person who may not be texted: nothing of it was sent, and it costs nothing. */
export type Stop = Pick<Failure, 'executionId' | 'workflowId' | 'templateName' | 'input'> & { why: EarlyEnd };

/** The end of an execution without a report. */
export type Failure = {
  executionId: string;
  workflowId: string;
  templateName: string | null;
  input: Record<string, unknown> | null;
  code: ServiceFailureCode;
  message: string;
  /** When it no longer is, it has been sent or was given more time since it was read, and goes on. */
  onlyWhile?: FinishItem['onlyWhile'];
};

export type Finisher = {
  /** Ends an execution as its flow reports. `applied` is false when it had already ended. */
  report(report: Report): Promise<FinishResult>;
  fail(failure: Failure): Promise<FinishResult>;
  stop(stop: Stop): Promise<FinishResult>;
  settled(): Promise<void>;
};

const endedRuns = defineCounter('portal_runs_ended_total', {
  help: 'Runs that ended by status and cause: reported, stopped, or the failure that the service found. One count is one change of a status: a late report that corrects a timeout counts a second time.',
  labels: ['status', 'cause'],
});
const durations = defineHistogram('portal_run_duration_seconds', {
  help: 'Ended runs by status, from their hand-over to the engine until their end. One count is one end of a run; runs that were never handed over are left out.',
  labels: ['status'],
  buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
});

/** Ends give way to the acceptance of events. */
const BATCHES = { itemsMax: 200, inFlightMax: 1, rest: BACKGROUND, isPoison: isDataError };
/** JSON text of one batch. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** A report as it counts, with what is stored of it as JSON text. */
type Reported = {
  report: Report;
  decided: DecidedRun;
  partnerId: string;
  output: string | null;
  steps: string | null;
  span: Span | undefined;
};

/** Ends executions, many per statement. Each is metered exactly once, because only a change of its status meters it. */
export function createFinisher(deps: FinishDeps): Finisher {
  const timeouts = createBatcher<FinishItem, FinishResult>({
    run: (items) => finishExecutions(deps.db, items, { fromTimeout: true }),
    ...BATCHES,
  });
  const ends = createBatcher<FinishItem, FinishResult>({
    run: (items) => finishExecutions(deps.db, items, { fromTimeout: false }),
    ...BATCHES,
  });
  const reports = createBatcher<Reported, FinishResult>({
    run: async (items) => {
      const facts = await readReportFacts(
        deps.db,
        items.map(({ report }) => ({ executionId: report.executionId, provider: report.usage?.provider ?? null })),
      );
      const known = new Map(facts.map((one) => [one.ord, one]));
      const prepared = items.map((item, index) => fromReport(deps, item, known.get(index + 1)));
      return finishExecutions(deps.db, prepared, { fromTimeout: false });
    },
    ...BATCHES,
    weigh: ({ output, steps }) => (output?.length ?? 0) + (steps?.length ?? 0),
    weightMax: BATCH_BYTES,
    keyOf: ({ partnerId }) => partnerId,
  });
  const publish = (executionId: string, result: FinishResult): FinishResult => {
    // Also for one that had already ended: the response to the first attempt may have been lost before it was published.
    if (result.found && result.partnerId) deps.publisher.changed(result.partnerId, executionId);
    return result;
  };
  const spanOf = (executionId: string): Span | undefined => deps.tracer?.start({ parent: contextOfRun(executionId) });
  return {
    report: async (report) => {
      const span = spanOf(report.executionId);
      const facts = await deps.factsOf(report.workflowId);
      const template = facts?.templateName ? deps.templateOf(facts.templateName) : undefined;
      const reported = { ...prepare(report, template, facts?.partnerId ?? ''), span };
      const result = await reports.add(reported);
      const { status, error } = reported.decided;
      countEnd(result, status, 'reported', span);
      endSpan(span, 'report run', { ...report, templateName: facts?.templateName ?? null, status, code: error?.code ?? null }, result);
      if (result.ranMs !== null) deps.publisher.ended(facts?.templateName ?? '', result.ranMs);
      return publish(report.executionId, result);
    },
    fail: async (failure) => {
      const span = spanOf(failure.executionId);
      const item = { ...fromFailure(deps, failure), span };
      // A flow retries its report. A failure found here has no other sender, so a lost response is retried once.
      const result = await timeouts.add(item).catch(() => timeouts.add(item));
      countEnd(result, 'FAILED', failure.code, span);
      endSpan(span, 'fail run', { ...failure, status: 'FAILED' }, result);
      return publish(failure.executionId, result);
    },
    stop: async (stop) => {
      const span = spanOf(stop.executionId);
      const item = { ...fromStop(deps, stop), span };
      const result = await ends.add(item).catch(() => ends.add(item));
      countEnd(result, 'SUCCEEDED', 'stopped', span);
      endSpan(span, 'stop run', { ...stop, status: 'SUCCEEDED', code: null }, result);
      return publish(stop.executionId, result);
    },
    settled: async () => {
      await Promise.all([reports.settled(), timeouts.settled(), ends.settled()]);
    },
  };
}

/** A run that had ended before does not count. */
function countEnd({ applied, ranMs }: FinishResult, status: string, cause: string, span: Span | undefined): void {
  if (!applied) return;
  endedRuns.count({ status, cause });
  if (ranMs !== null) durations.observe({ status }, ranMs, span?.context.traceId);
}

function endSpan(
  span: Span | undefined,
  name: string,
  run: { executionId: string; workflowId: string; templateName: string | null; status: string; code: string | null },
  { partnerId, applied }: FinishResult,
): void {
  span?.end({
    name,
    kind: name === 'report run' ? 'server' : 'internal',
    attributes: { ...runAttributes({ ...run, partnerId }), 'portal.run.status': run.status, 'portal.run.changed': applied },
    error: run.code,
  });
}

function prepare(report: Report, template: Template | undefined, partnerId: string): Omit<Reported, 'span'> {
  const decided = readReport(report, template);
  const { output, steps } = decided;
  return {
    report,
    decided,
    partnerId,
    output: output === undefined || output === null ? null : storableJson(output),
    steps: steps ? storableJson(steps) : null,
  };
}

function fromReport(deps: FinishDeps, { report, decided, span, ...stored }: Reported, facts: ReportFacts | undefined): FinishItem {
  const template = facts?.templateName ? deps.templateOf(facts.templateName) : undefined;
  const { status, error, refusedFor } = decided;
  const output = isObject(decided.output) ? decided.output : null;
  const given = isObject(report.output) ? report.output : null;
  const isSkipped = output?.['skipped'] === true;
  const hasOptedOut = refusedFor === 'opted_out_at_provider';
  const agentOptOut = status === 'SUCCEEDED' ? phoneOf(output, 'optOut') : null;
  return {
    executionId: report.executionId,
    workflowId: report.workflowId,
    status,
    summary: template ? sentence(template, status, facts?.input ?? {}, output, error) : null,
    tone: toneOf(template, status, output),
    output: stored.output,
    steps: stored.steps,
    error: error && { code: error.code, message: storableText(error.message), stepName: error.stepName && storableText(error.stepName) },
    contact: (status === 'SUCCEEDED' && !isSkipped) || hasTexted(decided, template) ? contactedBy(given, template) : null,
    optOut: hasOptedOut ? (phoneOf(given, 'contacted') ?? textedPhone(template, facts)) : agentOptOut,
    optOutFoundBy: hasOptedOut ? 'provider' : 'agent',
    aiCredits: creditsOf(report, facts),
    isFree: isFreeStop(decided),
    isUntried: isUntriedStop(decided, template),
    span,
  };
}

/** The number that the event of a run has its agent text, for flows that report none. */
function textedPhone(template: Template | undefined, facts: ReportFacts | undefined): string | null {
  const number = template && textedNumber(template, facts?.input ?? {});
  return number ? toE164(number) : null;
}

/** Tokens on a platform key at the rate for any model of the provider, whichever model the flow names (AI-9). */
function creditsOf({ usage }: Report, facts: ReportFacts | undefined): number {
  if (!usage || !facts?.onPlatformKey) return 0;
  return aiCredits(usage, { inputCredits: facts.inputCredits ?? 1, outputCredits: facts.outputCredits ?? 1 });
}

function fromFailure(deps: FinishDeps, failure: Failure): FinishItem {
  const template = failure.templateName === null ? undefined : deps.templateOf(failure.templateName);
  const error = { code: failure.code, message: failure.message, stepName: null };
  return {
    executionId: failure.executionId,
    workflowId: failure.workflowId,
    status: 'FAILED',
    summary: template ? sentence(template, 'FAILED', failure.input ?? {}, null, error) : failure.message,
    output: null,
    steps: null,
    error,
    contact: null,
    optOut: null,
    aiCredits: 0,
    onlyWhile: failure.onlyWhile,
  };
}

function fromStop(deps: FinishDeps, { executionId, workflowId, templateName, input, why }: Stop): FinishItem {
  const template = templateName === null ? undefined : deps.templateOf(templateName);
  const output: JsonObject = { skipped: true, ...why };
  return {
    executionId,
    workflowId,
    status: 'SUCCEEDED',
    summary: template ? sentence(template, 'SUCCEEDED', input ?? {}, output, null) : why.message,
    tone: toneOf(template, 'SUCCEEDED', output),
    output: storableJson(output),
    steps: null,
    error: null,
    contact: null,
    optOut: null,
    aiCredits: 0,
    isFree: true,
    isUntried: true,
  };
}

function sentence(
  template: Template,
  status: 'SUCCEEDED' | 'FAILED',
  input: Record<string, unknown>,
  output: JsonObject | null,
  error: { code: string; message: string } | null,
): string {
  return storableText(renderSentence(template, status, { input: input as { [key: string]: Json }, output, error })).slice(0, 500); // stored as JSON when it was accepted
}

/** Whom a run reports to have texted. Agents that answer a person again after some hours only also know addresses. */
function contactedBy(output: JsonObject | null, template: Template | undefined): string | null {
  const value = output?.['contacted'];
  return typeof value === 'string' && template && repeatsAfterHours(template) ? contactKey(value) : phoneOf(output, 'contacted');
}

function phoneOf(output: JsonObject | null, key: string): string | null {
  const value = output?.[key];
  return typeof value === 'string' ? toE164(value) : null;
}
