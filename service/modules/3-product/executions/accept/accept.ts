import { createHash } from 'node:crypto';
import { LIMITS, type ExecutionSource } from '@partner-portal/contract/vocabulary.ts';
import { type BodyProblem, bodyProblemOf } from '@partner-portal/core/execution/acceptance.ts';
import { secondsToNextDay } from '@partner-portal/core/quota/failures.ts';
import { type AskedByText, askedByText } from '@partner-portal/core/contact/opt-out.ts';
import { checkInput, contactOf } from '@partner-portal/core/template/input.ts';
import { isFirstContactCounted, otherTextedNumber } from '@partner-portal/core/template/texted.ts';
import type { Json, Template } from '@partner-portal/core/template/types.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import { createBatcher, isDataError, type Batcher } from '#platform/batch.ts';
import { createByteShares } from '#platform/byte-shares.ts';
import type { Database } from '#platform/db/tx.ts';
import { refuseReusedKey } from '#platform/http/idempotency.ts';
import { tooLarge } from '#platform/http/raw-body.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { ChangePublisher } from '../report/publish-changes.ts';
import { type AcceptItem, type AcceptResult, acceptExecutions, type WorkflowFacts } from './store-accept.ts';
import { shownInput } from './shown-input.ts';
import { isTooDeep, storableJson, storableText } from './storable.ts';
import type { FactsOf } from './workflow-facts.ts';

export type AcceptDeps = {
  db: Database;
  publisher: ChangePublisher;
  /** Wakes the dispatcher of this process without waiting for the notification. */
  wake: () => void;
  templateOf: (name: string) => Template | undefined;
  factsOf: FactsOf;
  timeoutMinutesDefault: number;
  /** Runs of a partner that may fail on one day, at least (core/quota/failures.ts). */
  failedRunsFree: number;
};

/** An event to be accepted, with what the checks before the batch found. */
export type Candidate = {
  /** Of a chatbot's turn: the id of its run. */
  executionId?: string;
  workflowId: string;
  source: ExecutionSource;
  /** The mapped input, or why the body cannot be read. */
  body: { input: { [key: string]: Json } } | { problem: BodyProblem; preview: string | null };
  overRate?: boolean;
  idempotencyKey?: string | undefined;
  /** The key is a caller's, so the same one with another body is refused. Keys of the service itself name one event, also when its values changed. */
  comparesBody?: true;
  senderAddress?: string | null;
  rerunOf?: string | null;
  scope?: { partnerId: string | null; clientId: string | null };
  audit?: Record<string, unknown> | null;
};

export type Acceptance = AcceptResult & {
  /** Inputs that the template requires and the event lacks; set with `missing_input`. */
  missing: { key: string; label: string; example: Json }[];
};

export type Acceptor = {
  /** Decides one event. Never throws a refusal; the outcome says what happened. */
  accept(candidate: Candidate): Promise<Acceptance>;
  factsOf: FactsOf;
  settled(): Promise<void>;
};

const BATCH_ITEMS = 300;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Events that wait for their batch or are in it. */
const HELD_BYTES = 32 * 1024 * 1024;
const HELD_BYTES_OF_PARTNER = 8 * 1024 * 1024;
const RETRIES_MAX = 5;

/** The process holds as much as it may of this partner's events; nothing was stored. */
const BUSY: Omit<Acceptance, 'executionId'> = {
  outcome: 'busy',
  partnerId: null,
  clientId: null,
  quotaUsed: null,
  quotaLimit: null,
  failuresFree: null,
  missing: [],
};

/** Starts every execution: all sources share one batch, so quota and order of checks hold for all. */
export function createAcceptor(deps: AcceptDeps): Acceptor {
  const batcher: Batcher<AcceptItem, AcceptResult> = createBatcher({
    run: (items) => acceptExecutions(deps.db, items, deps.failedRunsFree),
    itemsMax: BATCH_ITEMS,
    inFlightMax: 2,
    // A statement costs as much as ten events or more, so a second one in parallel must carry many.
    besideMin: 64,
    weigh: (item) => item.inputBytes + (item.preview?.length ?? 0),
    weightMax: BATCH_BYTES,
    isPoison: isDataError,
  });
  const shares = createByteShares({ total: HELD_BYTES, perKey: HELD_BYTES_OF_PARTNER });
  const { factsOf } = deps;
  return {
    factsOf,
    settled: () => batcher.settled(),
    async accept(candidate) {
      const known = await factsOf(candidate.workflowId);
      const { item, missing } = prepare(deps, candidate, known);
      using share = shares.hold(known?.partnerId ?? '', item.inputBytes);
      if (share === undefined) return { ...BUSY, executionId: item.executionId };
      for (let tries = 0; ; tries += 1) {
        const result = await batcher.add(item);
        // Another event with the same key was first: the retry returns its execution.
        if (result.outcome === 'retry' && tries < RETRIES_MAX) continue;
        if (result.outcome === 'accepted' && result.partnerId) {
          if (item.source !== 'chatbot') {
            deps.wake();
            deps.publisher.waiting();
          }
          deps.publisher.changed(result.partnerId, result.executionId);
        }
        return { ...result, missing: result.outcome === 'missing_input' ? missing : [] };
      }
    },
  };
}

function prepare(
  deps: AcceptDeps,
  candidate: Candidate,
  known: WorkflowFacts | undefined,
): { item: AcceptItem; missing: Acceptance['missing'] } {
  const template = known ? deps.templateOf(known.templateName) : undefined;
  const { body } = candidate;
  const input = 'input' in body ? body.input : {};
  const deep = isTooDeep(input);
  const text = deep ? '{}' : storableJson(input);
  const inputBytes = Buffer.byteLength(text);
  const isTooLarge = inputBytes > LIMITS.eventBytesMax;
  const asked = 'input' in body && !deep && !isTooLarge ? askedIn(candidate, template, input) : null;
  // Who asks for no more texts is heard also by an agent that takes no texts.
  const endsEarly = asked !== null && asked.keyword !== 'yes';
  const check = 'input' in body && template && !deep && !endsEarly ? checkInput(template, input) : { ok: true as const };
  const missing = check.ok ? [] : check.missing;
  const ok = 'input' in body && missing.length === 0 && !deep && !isTooLarge;
  const masked = template && !deep ? shownInput(template, input, inputBytes) : null;
  const contact = ok && template ? contactOf(template, input) : null;
  const item: AcceptItem = {
    executionId: candidate.executionId ?? newId(),
    workflowId: candidate.workflowId,
    source: candidate.source,
    input: ok ? text : '{}',
    inputBytes: ok ? inputBytes : 2,
    summary: ok && template ? storableText(renderSentence(template, 'RUNNING', { input }, masked ?? undefined)) : 'Running',
    overRate: candidate.overRate ?? false,
    bodyProblem: bodyProblemOf({
      unreadable: 'problem' in body ? body.problem : null,
      isTooDeep: deep,
      isTooLarge,
      missing: missing.length,
    }),
    keyHash:
      candidate.idempotencyKey === undefined
        ? null
        : createHash('sha256').update(`${candidate.source}\n${candidate.idempotencyKey}`).digest(),
    senderAddress: candidate.senderAddress ?? null,
    preview: candidate.source === 'ingest' ? previewOf(body, masked) : null,
    rerunOf: candidate.rerunOf ?? null,
    scopePartner: candidate.scope?.partnerId ?? null,
    scopeClient: candidate.scope?.clientId ?? null,
    timeoutMinutes: template?.timeoutMinutes ?? deps.timeoutMinutesDefault,
    latestVersion: template?.templateVersion ?? 1,
    contact,
    texts: template !== undefined && isFirstContactCounted(template, contact),
    audit: candidate.audit ? storableJson(candidate.audit) : null,
    // A body that could not be read was never accepted, so it is another one than any that was.
    bodyHash:
      candidate.idempotencyKey !== undefined && candidate.comparesBody
        ? createHash('sha256')
            .update('problem' in body || deep ? '' : text)
            .digest()
        : null,
    textedNumber: ok && template ? otherTextedNumber(template, input, contact) : null,
    asked: ok ? asked : null,
  };
  return { item, missing };
}

/** Only a person's own text, which the phone provider brings, asks for texts again; a run by hand or of a visitor may end them. */
function askedIn({ source }: Candidate, template: Template | undefined, input: { [key: string]: Json }): AskedByText | null {
  const asked = askedByText(template, input);
  return source === 'ingest' || asked?.keyword === 'opt_out' ? asked : null;
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
      return refuse('quota_exceeded', {
        detail: 'The credits of this period are used, or held by runs in progress.',
        limit: result.quotaLimit ?? 0,
        used: result.quotaUsed ?? 0,
      });
    case 'chat_budget_exceeded':
      return refuse('chat_budget_exceeded', { detail: 'The budget of chatbots has no room for another run.' });
    case 'failures_exceeded':
      return refuse('rate_limited', {
        detail: `${result.failuresFree ?? 0} runs of this account failed today, which is the daily limit. Events are accepted again at 00:00 UTC. See Runs for the cause.`,
        retryAfterSeconds: secondsToNextDay(new Date()),
      });
    case 'missing_input':
      return refuse('missing_input', {
        detail: `The event lacks ${result.missing.map((one) => `"${one.key}"`).join(', ')}. For example: ${JSON.stringify(exampleOf(result.missing))}`,
        missing: result.missing,
        errors: result.missing.map((one) => ({ field: one.key, code: 'required', message: `${one.label} is missing.` })),
      });
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
      return refuse('service_unavailable', {
        detail: 'The same event is being processed right now. Please try again.',
        retryAfterSeconds: 1,
      });
    default:
      return refuse('not_found');
  }
}

function exampleOf(missing: Acceptance['missing']): Record<string, Json> {
  return Object.fromEntries(missing.map((one) => [one.key, one.example]));
}
