import { aiCredits } from '@partner-portal/core/quota/credits.ts';
import { cleanError } from '@partner-portal/core/execution/error.ts';
import type { ServiceFailureCode } from '@partner-portal/core/execution/failures.ts';
import type { Json, JsonObject, Template } from '@partner-portal/core/template/types.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import { toE164 } from '@partner-portal/core/contact/phone.ts';
import { isNoTextReason } from '@partner-portal/core/contact/texting.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Database } from '#platform/db/tx.ts';
import type { EarlyEnd } from '../dispatch/dispatch-payload.ts';
import type { ChangePublisher } from './publish-changes.ts';
import { finishExecutions } from './finish-batch.ts';
import { type FinishItem, type FinishResult, readReportFacts, type ReportFacts } from './store-finish.ts';
import { storableJson, storableText } from '../accept/storable.ts';
import type { FactsOf } from '../accept/workflow-facts.ts';

export type FinishDeps = {
  db: Database;
  publisher: Pick<ChangePublisher, 'changed' | 'ended'>;
  templateOf: (name: string) => Template | undefined;
  factsOf: FactsOf;
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

const ITEMS_MAX = 200;
const IN_FLIGHT_MAX = 2;
/** JSON text of one batch. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** A report with what is stored of it as JSON text. */
type Reported = { report: Report; partnerId: string; output: string | null; steps: string | null };

/** Ends executions, many per statement. Each is metered exactly once, because only a change of its status meters it. */
export function createFinisher(deps: FinishDeps): Finisher {
  const timeouts = createBatcher<FinishItem, FinishResult>({
    run: (items) => finishExecutions(deps.db, items, { fromTimeout: true }),
    itemsMax: ITEMS_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    isPoison: isDataError,
  });
  const ends = createBatcher<FinishItem, FinishResult>({
    run: (items) => finishExecutions(deps.db, items, { fromTimeout: false }),
    itemsMax: ITEMS_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    isPoison: isDataError,
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
    itemsMax: ITEMS_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    weigh: ({ output, steps }) => (output?.length ?? 0) + (steps?.length ?? 0),
    weightMax: BATCH_BYTES,
    keyOf: ({ partnerId }) => partnerId,
    isPoison: isDataError,
  });
  const publish = (executionId: string, result: FinishResult): FinishResult => {
    // Also for one that had already ended: the response to the first attempt may have been lost before it was published.
    if (result.found && result.partnerId) deps.publisher.changed(result.partnerId, executionId);
    return result;
  };
  return {
    report: async (report) => {
      const facts = await deps.factsOf(report.workflowId);
      const result = await reports.add(prepare(report, facts?.partnerId ?? ''));
      if (result.ranMs !== null) deps.publisher.ended(facts?.templateName ?? '', result.ranMs);
      return publish(report.executionId, result);
    },
    fail: async (failure) => {
      const item = fromFailure(deps, failure);
      // A flow retries its report. A failure found here has no other sender, so a lost response is retried once.
      return publish(failure.executionId, await timeouts.add(item).catch(() => timeouts.add(item)));
    },
    stop: async (stop) => {
      const item = fromStop(deps, stop);
      return publish(stop.executionId, await ends.add(item).catch(() => ends.add(item)));
    },
    settled: async () => {
      await Promise.all([reports.settled(), timeouts.settled(), ends.settled()]);
    },
  };
}

function prepare(report: Report, partnerId: string): Reported {
  const { output, steps } = report;
  return {
    report,
    partnerId,
    output: output === undefined || output === null ? null : storableJson(output),
    steps: steps
      ? storableJson(steps.map((step) => (step.error ? { ...step, error: cleanError({ message: step.error }).message } : step)))
      : null,
  };
}

function fromReport(deps: FinishDeps, reported: Reported, facts: ReportFacts | undefined): FinishItem {
  const { report } = reported;
  const template = facts?.templateName ? deps.templateOf(facts.templateName) : undefined;
  const error = report.status === 'FAILED' ? cleanError(report.error ?? { message: 'The run failed without giving a reason.' }) : null;
  const output = isObject(report.output) ? report.output : null;
  const succeeded = report.status === 'SUCCEEDED' && output?.['skipped'] !== true;
  return {
    executionId: report.executionId,
    workflowId: report.workflowId,
    status: report.status,
    summary: template ? sentence(template, report.status, facts?.input ?? {}, output, error) : null,
    output: reported.output,
    steps: reported.steps,
    error: error && { code: error.code, message: storableText(error.message), stepName: error.stepName && storableText(error.stepName) },
    contact: succeeded ? phoneOf(output, 'contacted') : null,
    optOut: report.status === 'SUCCEEDED' ? phoneOf(output, 'optOut') : null,
    aiCredits: creditsOf(report, facts),
    isFree: report.status === 'SUCCEEDED' && output?.['skipped'] === true && isNoTextReason(output['reason']),
  };
}

/** Tokens on a platform key at the rate for any model of the provider: a flow reports no model. */
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
    output: storableJson(output),
    steps: null,
    error: null,
    contact: null,
    optOut: null,
    aiCredits: 0,
    isFree: true,
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

function phoneOf(output: JsonObject | null, key: string): string | null {
  const value = output?.[key];
  return typeof value === 'string' ? toE164(value) : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
