import { ingestPath } from '@partner-portal/contract/ingest-path.ts';
import { beginOf } from '@partner-portal/core/text/cut.ts';
import { storableText } from '@partner-portal/core/text/storable.ts';
import { createHash } from 'node:crypto';
import { contextOfRun, type SpanContext } from '@partner-portal/core/tracing/trace-context.ts';
import { LIMITS, type ExecutionSource } from '@partner-portal/contract/vocabulary.ts';
import { type BodyProblem, bodyProblemOf } from '@partner-portal/core/execution/acceptance.ts';
import type { EventId } from '@partner-portal/core/execution/event-id.ts';
import { stateUnderWay } from '@partner-portal/core/execution/under-way.ts';
import { secondsToNextDay } from '@partner-portal/core/quota/failures.ts';
import { type AskedByText, askedByText } from '@partner-portal/core/contact/opt-out.ts';
import { contactsNoOne, endedPlan } from '@partner-portal/core/template/follow-ups.ts';
import { contactOf, type InputProblem, readInput } from '@partner-portal/core/template/input.ts';
import { isFirstContactCounted, otherTextedNumber, textedNumber } from '@partner-portal/core/template/texted.ts';
import type { EventIdSource, Json, Template } from '@partner-portal/core/template/types.ts';
import { maskInput } from '@partner-portal/core/template/mask.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import { refuseInput } from '#modules/3-product/catalog/index.ts';
import { createBatcher, isDataError, type Batcher } from '#platform/batch.ts';
import { createByteShares } from '#platform/byte-shares.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { refuseReusedKey } from '#platform/http/idempotency.ts';
import { tooLarge } from '#platform/http/raw-body.ts';
import { newId } from '#platform/ids.ts';
import { defineCounter } from '#platform/measure.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { RestOptions } from '#platform/rest.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import type { ChangePublisher } from '../publish-changes.ts';
import { type AcceptItem, type AcceptResult, acceptExecutions, type EventRemark } from './store-accept.ts';
import { shownInput } from './shown-input.ts';
import { runAttributes } from '../run-trace.ts';
import { isTooDeep, storableJson } from '../storable.ts';
import type { FactsOf, KnownFacts, WorkflowFacts } from '../workflow-facts.ts';

export type AcceptDeps = {
  db: Database;
  publisher: ChangePublisher;
  /** Wakes the dispatcher of this process without waiting for the notification. */
  wake: () => void;
  templateOf: (name: string) => Template | undefined;
  facts: KnownFacts;
  timeoutMinutesDefault: number;
  /** How long an execution may wait until the engine can take it. */
  waitMinutesMax: number;
  clock: Clock;
  /** Runs of a partner that may fail on one day, at least (core/quota/failures.ts). */
  failedRunsFree: number;
  tracer?: Tracer | undefined;
};

/** An event to be accepted, with what the checks before the batch found. */
export type Candidate = {
  /** The id of its run where it is known before: for a chatbot's turn and a planned run. */
  executionId?: string;
  workflowId: string;
  source: ExecutionSource;
  /** The mapped input, with what was noticed while the body was read, or why the body cannot be read. */
  body: { input: { [key: string]: Json }; remarks?: readonly string[] } | { problem: BodyProblem; preview: string | null };
  overRate?: boolean;
  idempotencyKey?: string | undefined;
  /** The key is a caller's, so the same one with another body is refused. Keys of the service itself name one event, also when its values changed. */
  comparesBody?: true;
  /** Finds the id of an incoming event without such a key, given where the agent says it is. Bodies of one id are not compared: a sender's retry may differ in a time. */
  eventIdBy?: (agent: EventIdSource | null) => EventId | undefined;
  senderAddress?: string | null;
  rerunOf?: string | null;
  scope?: { partnerId: string | null; clientId: string | null };
  audit?: Record<string, unknown> | null;
  /** `performance.now()` of its arrival, for its trace. */
  receivedAt?: number;
  /** The sender's own span. Anyone can name one, so the trace of the run only links to it. */
  sentBy?: SpanContext | null;
};

export type Acceptance = AcceptResult & {
  /** Inputs that the template requires and the event lacks, or that cannot be understood; set with `missing_input` and `invalid_input`. */
  problems: readonly InputProblem[];
};

export type Acceptor = {
  /** Decides one event. Never throws a refusal; the outcome says what happened. */
  accept(candidate: Candidate): Promise<Acceptance>;
  factsOf: FactsOf;
  settled(): Promise<void>;
};

const events = defineCounter('portal_events_total', {
  help: 'Events and other starts of runs by source and outcome: accepted, replayed or the refusal. One count is one decision; attempts within it are not counted.',
  labels: ['source', 'outcome'],
});
const INGEST_ROUTE = ingestPath('{workflowId}');
const BATCH_ITEMS = 300;
/** Events that arrive within a few milliseconds share a statement. A single event waits for nothing. */
const GATHER: RestOptions = { leastMs: 5, times: 0 };
const BATCH_BYTES = 4 * 1024 * 1024;
/** Events that wait for their batch or are in it. */
const HELD_BYTES = 32 * 1024 * 1024;
const HELD_BYTES_OF_PARTNER = 8 * 1024 * 1024;
const RETRIES_MAX = 5;
const MINUTE_MS = 60_000;

/** The process has reached its limit for this partner's events; nothing was stored. */
const BUSY: Omit<Acceptance, 'executionId'> = {
  outcome: 'busy',
  partnerId: null,
  clientId: null,
  quotaUsed: null,
  quotaLimit: null,
  failuresFree: null,
  problems: [],
};

/** Starts every execution: all sources share one batch, so quota and order of checks hold for all. */
export function createAcceptor(deps: AcceptDeps): Acceptor {
  const batcher: Batcher<AcceptItem, AcceptResult> = createBatcher({
    run: (items) => acceptExecutions(deps.db, items, deps.failedRunsFree),
    itemsMax: BATCH_ITEMS,
    inFlightMax: 2,
    // A statement costs as much as ten events or more, so a second one in parallel must carry many.
    minItemsForSecondBatch: 64,
    rest: GATHER,
    weigh: (item) => item.inputBytes + (item.preview?.length ?? 0),
    weightMax: BATCH_BYTES,
    isPoison: isDataError,
  });
  const shares = createByteShares({ total: HELD_BYTES, perKey: HELD_BYTES_OF_PARTNER });
  const { factsOf, reread } = deps.facts;
  const decide: Acceptor['accept'] = async (candidate) => {
    const known = await factsOf(candidate.workflowId);
    let { item, problems } = prepare(deps, candidate, known);
    using share = shares.hold(known?.partnerId ?? '', item.inputBytes);
    if (share === undefined) return { ...BUSY, executionId: item.executionId };
    for (let tries = 0; ; tries += 1) {
      const result = await batcher.add(item);
      // Another event with the same key was first: the retry returns its execution. Or those before it in its batch wanted
      // the last credits: they have them now, or were refused.
      if (result.outcome === 'retry' && tries < RETRIES_MAX) continue;
      // Its client or its agent changed since it was read. Keywords of its text are recorded under the first id.
      if (result.outcome === 'reread' && tries < RETRIES_MAX) {
        const executionId = item.executionId;
        ({ item, problems } = prepare(deps, { ...candidate, executionId }, await reread(candidate.workflowId)));
        continue;
      }
      if (result.outcome === 'accepted' && result.partnerId) {
        if (item.source !== 'chatbot') {
          deps.wake();
          deps.publisher.waiting();
        }
        deps.publisher.changed(result.partnerId, result.executionId);
        traceStart(deps.tracer, candidate, { ...result, templateName: known?.templateName });
      }
      return { ...result, problems: result.outcome === 'missing_input' || result.outcome === 'invalid_input' ? problems : [] };
    }
  };
  return {
    factsOf,
    settled: () => batcher.settled(),
    async accept(candidate) {
      const result = await decide(candidate);
      events.count({ source: candidate.source, outcome: result.outcome });
      return result;
    },
  };
}

/** Records the first span of a run. */
function traceStart(
  tracer: Tracer | undefined,
  { workflowId, source, receivedAt, sentBy, rerunOf }: Candidate,
  run: Pick<AcceptResult, 'executionId' | 'partnerId' | 'clientId'> & { templateName: string | undefined },
): void {
  const span = tracer?.start({ context: contextOfRun(run.executionId), startedAt: receivedAt });
  span?.end({
    name: 'accept event',
    kind: source === 'ingest' ? 'server' : 'internal',
    attributes: {
      ...runAttributes({ ...run, workflowId }),
      'portal.run.source': source,
      ...(source === 'ingest' ? { 'http.request.method': 'POST', 'http.route': INGEST_ROUTE, 'http.response.status_code': 202 } : {}),
    },
    links: [...(sentBy ? [sentBy] : []), ...(rerunOf ? [contextOfRun(rerunOf)] : [])],
  });
}

function prepare(
  deps: AcceptDeps,
  candidate: Candidate,
  known: WorkflowFacts | undefined,
): { item: AcceptItem; problems: Acceptance['problems'] } {
  const template = known ? deps.templateOf(known.templateName) : undefined;
  const { body } = candidate;
  const input = 'input' in body ? body.input : {};
  const deep = isTooDeep(input);
  const text = deep ? '{}' : storableJson(input);
  const inputBytes = Buffer.byteLength(text);
  const isTooLarge = inputBytes > LIMITS.eventBytesMax;
  const asked = 'input' in body && !deep && !isTooLarge ? askedIn(candidate, template, input, known) : null;
  // An opt-out is obeyed even by an agent that takes no texts.
  const endsEarly = asked !== null && asked.keyword !== 'yes';
  const reading = 'input' in body && template && known && !deep && !isTooLarge ? readInput(template, input, known.client) : null;
  const isRead = reading !== null && 'input' in reading;
  const problems = reading !== null && 'problems' in reading && !endsEarly ? reading.problems : [];
  const missing = problems.filter(({ code }) => code === 'required').length;
  const ok = 'input' in body && problems.length === 0 && !deep && !isTooLarge;
  const steps = isRead ? reading.input : input;
  const hasChanged = isRead && Object.keys(reading.understood).length > 0;
  const masked = template && !deep ? shownInput(template, input, inputBytes) : null;
  const shown = hasChanged && template ? shownInput(template, steps, inputBytes) : masked;
  const contact = ok && template ? contactOf(template, steps) : null;
  const ended = ok && template ? endedPlan(template, steps) : null;
  const timeoutMinutes = template?.timeoutMinutes ?? deps.timeoutMinutesDefault;
  const now = deps.clock.now();
  const sentWithin = { now, until: new Date(now.getTime() + Math.max(deps.waitMinutesMax, timeoutMinutes) * MINUTE_MS) };
  const { idempotencyKey } = candidate;
  const eventId = idempotencyKey === undefined ? candidate.eventIdBy?.(known?.eventIdFrom ?? null) : undefined;
  // A test is a trigger with `isTest`, which is part of what its key is compared by: the real run must not pass for its repeat.
  const isComparedTest = candidate.source === 'test' && candidate.comparesBody === true;
  const item: AcceptItem = {
    executionId: candidate.executionId ?? newId(),
    workflowId: candidate.workflowId,
    source: candidate.source,
    input: ok ? text : '{}',
    inputBytes: ok ? inputBytes : 2,
    summary: ok && template ? storableText(renderSentence(template, 'RUNNING', { input: steps }, shown ?? undefined)) : 'Running',
    overRate: candidate.overRate ?? false,
    bodyProblem: bodyProblemOf({
      unreadable: 'problem' in body ? body.problem : null,
      isTooDeep: deep,
      isTooLarge,
      missing,
      invalid: problems.length - missing,
    }),
    keyHash: keyHashOf(isComparedTest ? 'trigger' : candidate.source, idempotencyKey, eventId),
    repeatRemark: repeatRemarkOf(idempotencyKey, eventId),
    senderAddress: candidate.senderAddress ?? null,
    preview: candidate.source === 'ingest' ? previewOf(body, masked) : null,
    rerunOf: candidate.rerunOf ?? null,
    scopePartner: candidate.scope?.partnerId ?? null,
    scopeClient: candidate.scope?.clientId ?? null,
    timeoutMinutes,
    latestVersion: template?.templateVersion ?? 1,
    contact,
    texts:
      template !== undefined &&
      known !== undefined &&
      stateUnderWay(template, steps) === null &&
      isFirstContactCounted(template, textedNumber(template, steps), known.textCountries) &&
      !contactsNoOne(template, steps, known.planConfig, sentWithin),
    audit: candidate.audit ? storableJson(candidate.audit) : null,
    // A body that could not be read was never accepted, so it is another one than any that was.
    bodyHash:
      idempotencyKey !== undefined && candidate.comparesBody
        ? createHash('sha256')
            .update('problem' in body || deep ? '' : text)
            .update(isComparedTest ? '\nisTest' : '')
            .digest()
        : null,
    textedNumber: ok && template ? otherTextedNumber(template, steps, contact) : null,
    asked: ok ? asked : null,
    understood: ok && hasChanged ? storableJson(reading.understood) : null,
    remarks: storedRemarks([
      ...remarksOf(body),
      ...(isRead && ok ? reading.remarks : problems.map((one) => ({ key: one.key, remark: maskedMessage(template, one) }))),
    ]),
    basis: known?.basis ?? null,
    // A rerun, and a planned run, repeats an earlier event: a later one may have booked the visit again, or moved it.
    endedPlan: ['test', 'schedule'].includes(candidate.source) || candidate.rerunOf ? null : ended,
  };
  return { item, problems };
}

/** Keys of a caller and ids of events are apart, each under its source. */
function keyHashOf(source: ExecutionSource, key: string | undefined, eventId: EventId | undefined): Buffer | null {
  const text = key === undefined ? eventId && `${source} event\n${eventId.from}\n${eventId.id}` : `${source}\n${key}`;
  return text === undefined ? null : createHash('sha256').update(text).digest();
}

function repeatRemarkOf(key: string | undefined, eventId: EventId | undefined): string | null {
  const named = key === undefined ? eventId?.from : 'its Idempotency-Key';
  return named === undefined ? null : storableText(`A repeat of an earlier event, by ${named}. Nothing was started.`);
}

/** Only a person's own text, which the phone provider brings, asks for texts again; a run by hand or of a visitor may end them. */
function askedIn(
  { source }: Candidate,
  template: Template | undefined,
  input: { [key: string]: Json },
  known: WorkflowFacts | undefined,
): AskedByText | null {
  const asked = askedByText(template, input, known?.client.countries);
  return source === 'ingest' || asked?.keyword === 'opt_out' ? asked : null;
}

function remarksOf(body: Candidate['body']): EventRemark[] {
  return 'remarks' in body ? (body.remarks ?? []).map((remark) => ({ key: null, remark })) : [];
}

/** Why a value was refused, for the inbound log, which masks what came. */
function maskedMessage(template: Template | undefined, { key, came, message }: InputProblem): string {
  const masked = template === undefined || came === '' ? came : String(maskInput(template, { [key]: came })[key] ?? '');
  return came === '' ? message : message.replace(came, () => masked);
}

const REMARKS_MAX = 50;
const REMARK_MAX = 500;

function storedRemarks(remarks: readonly EventRemark[]): string | null {
  if (remarks.length === 0) return null;
  return storableJson(remarks.slice(0, REMARKS_MAX).map(({ key, remark }) => ({ key, remark: beginOf(remark, REMARK_MAX) })));
}

/** Returns the masked and shortened body for the inbound log. */
function previewOf(body: Candidate['body'], masked: { [key: string]: Json } | null): string | null {
  if ('problem' in body) return body.preview === null ? null : cut(storableText(body.preview));
  if (masked === null) return null;
  return cut(storableText(JSON.stringify(masked)));
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= LIMITS.inboundPreviewBytes) return text;
  return `${Buffer.from(text)
    .subarray(0, LIMITS.inboundPreviewBytes - 4)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}

/** Refuses a run for which the credits do not suffice. */
export function refuseOverQuota(credits: { limit: number; used: number }): never {
  return refuse('quota_exceeded', { detail: 'The credits of this period are used, or held by runs in progress.', ...credits });
}

/** Throws the refusal that belongs to an outcome other than accepted or replayed. */
export function refuseOutcome(result: Acceptance): never {
  switch (result.outcome) {
    case 'idempotency_key_reused':
      return refuseReusedKey();
    case 'account_suspended':
      return refuse('account_suspended', { detail: 'This account is suspended, so its agents accept no events.' });
    case 'workflow_inactive':
      return refuse('workflow_inactive', { detail: 'This agent is switched off or not set up yet.' });
    case 'quota_exceeded':
      return refuseOverQuota({ limit: result.quotaLimit ?? 0, used: result.quotaUsed ?? 0 });
    case 'chat_budget_exceeded':
      return refuse('chat_budget_exceeded', { detail: 'The budget of chatbots has no room for another run.' });
    case 'failures_exceeded':
      return refuse('rate_limited', {
        detail: `${result.failuresFree ?? 0} runs of this account failed today, which is the daily limit. Events are accepted again at 00:00 UTC. See Runs for the cause.`,
        retryAfterSeconds: secondsToNextDay(new Date()),
        headers: { 'ratelimit-limit': String(result.failuresFree ?? 0) },
      });
    case 'missing_input':
    case 'invalid_input':
      return refuseInput(result.problems);
    case 'malformed_json':
      return refuse('malformed_json', { detail: 'The body could not be read as JSON.' });
    case 'too_large':
      throw tooLarge(LIMITS.eventBytesMax);
    case 'unsupported_media_type':
      return refuse('unsupported_media_type', {
        detail: 'Send the event as application/json or as a form, plain or compressed with gzip.',
      });
    case 'validation_failed':
      return refuseField('', 'invalid_type', 'The event must be a JSON object that is not nested deeper than 64 levels.');
    case 'rate_limited':
      return refuse('rate_limited', { retryAfterSeconds: 60 });
    case 'busy':
      return refuse('service_unavailable', {
        detail: 'Many large events of this account are being stored right now. Please try again.',
        retryAfterSeconds: 1,
      });
    case 'retry':
    case 'reread':
      return refuse('service_unavailable', {
        detail: 'The same event is being processed right now, or its client is being changed. Please try again.',
        retryAfterSeconds: 1,
      });
    default:
      return refuse('not_found');
  }
}
