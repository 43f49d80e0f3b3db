import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { type BodyProblem, isDecidedBeforeRate } from '@partner-portal/core/execution/acceptance.ts';
import { parseTraceparent } from '@partner-portal/core/tracing/trace-context.ts';
import { ingestToken, tokenMatches } from '@partner-portal/core/execution/token.ts';
import { type EventId, eventIdOf } from '@partner-portal/core/execution/event-id.ts';
import { stateUnderWay } from '@partner-portal/core/execution/under-way.ts';
import type { EventIdSource, Template } from '@partner-portal/core/template/types.ts';
import { maskText } from '@partner-portal/core/contact/mask.ts';
import type { RawBody } from '#platform/http/raw-body.ts';
import { limitHeaders, type LimitState, type RateLimits, rateRefusal } from '#platform/http/rate-limit.ts';
import { isId } from '#platform/ids.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import type { Secret } from '#platform/secret.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { type Acceptor, refuseOutcome } from './accept.ts';
import { readEvents, type ReadEvents } from './read-events.ts';

export type IngestLimit = 'ingest' | 'badIngestToken';

export type IngestDeps = {
  acceptor: Acceptor;
  limits: RateLimits<IngestLimit>;
  callbackSecret: Secret;
  templateOf: (name: string) => Template | undefined;
  tracer?: Tracer | undefined;
};

export type IngestCall = {
  workflowId: string;
  token: string | undefined;
  address: string;
  /** Read after the token is checked: an invalid key must not be reported to a caller without one. */
  idempotencyKey: () => string | undefined;
  /** One request header by its lower-case name. */
  header: (name: string) => string | undefined;
  rawBody: RawBody;
};
/** The result of one event of a list. */
export type EventOutcome = { executionId: string } | { refusal: AppError };
/** `outcomes`: of the events of a list, in their order, of which at least one was accepted. */
export type Ingested = { rate: LimitState } & ({ executionId: string } | { outcomes: EventOutcome[] });

export type Ingest = (call: IngestCall) => Promise<Ingested>;

const BLOCKED_MAX = 50_000;
const VERIFIED_MAX = 20_000;

/**
 * Accepts incoming events. Checks: token, and of calls with a wrong one the limit of their address; then those of core/execution/acceptance.ts.
 * A call without a valid token costs no query. Rules: docs/behaviour/executions.md.
 */
export function createIngest(deps: IngestDeps): Ingest {
  // Addresses that sent too many bad tokens, and until when (ms). In memory: a flood of them costs no query.
  const blocked = new Map<string, number>();

  // Tokens that were verified once. Only valid ones are cached, so a caller cannot fill the cache.
  const verified = new Map<string, string>();

  // After the token was compared: services that send for many accounts share their addresses, and one account must not stop the events of the others.
  const refuseBadToken = async (address: string): Promise<never> => {
    const leftMs = (blocked.get(address) ?? 0) - Date.now();
    if (leftMs > 0) {
      const detail = 'Too many calls with a wrong token came from this address.';
      refuse('rate_limited', {
        detail,
        retryAfterSeconds: Math.ceil(leftMs / 1000),
        headers: { 'ratelimit-limit': String(LIMITS.callerRequestsPerMinute) },
      });
    }
    blocked.delete(address);
    const state = await deps.limits.count('badIngestToken', address);
    if (state.exceeded) {
      if (blocked.size >= BLOCKED_MAX) blocked.clear();
      blocked.set(address, Date.now() + state.resetSeconds * 1000);
      throw rateRefusal(state);
    }
    return refuse('invalid_ingest_token', { detail: 'Copy the ingest URL again: its token does not belong to this agent.' });
  };
  return async (call) => {
    const receivedAt = deps.tracer && performance.now();
    const expected = verified.get(call.workflowId) ?? ingestToken(deps.callbackSecret.reveal(), call.workflowId);
    if (!tokenMatches(expected, call.token)) return refuseBadToken(call.address);
    if (verified.size >= VERIFIED_MAX) verified.clear();
    verified.set(call.workflowId, expected);
    if (!isId(call.workflowId)) refuse('not_found');
    const [facts, first] = await Promise.all([deps.acceptor.factsOf(call.workflowId), deps.limits.count('ingest', call.workflowId)]);
    const template = facts ? deps.templateOf(facts.templateName) : undefined;
    const key = readKey(call);
    const body = 'refusal' in key ? refusedBody(call.rawBody, key.refusal) : await readBody(call.rawBody, template);
    if ('refusal' in body || body.events.length === 1) {
      const ended = await acceptOne(deps, call, template, { body, key, rate: first, position: null, receivedAt });
      const rate = rateLeft([first], [ended]);
      if ('refusal' in ended) throw withRate(ended.refusal, rate);
      return { executionId: ended.executionId, rate };
    }
    // Each event of a list counts. Which of the calls were within the limit is known only now, so the first events are.
    const more = body.events.slice(1).map(() => deps.limits.count('ingest', call.workflowId));
    const rates = [first, ...(await Promise.all(more))].toSorted(
      (a, b) => Number(a.exceeded) - Number(b.exceeded) || b.remaining - a.remaining,
    );
    const outcomes = await Promise.all(
      body.events.map((event, position) =>
        acceptOne(deps, call, template, { body: { ...body, events: [event] }, key, rate: rates[position] ?? first, position, receivedAt }),
      ),
    );
    const [refused] = outcomes;
    const rate = rateLeft(rates, outcomes);
    if (refused && 'refusal' in refused && outcomes.every((one) => 'refusal' in one))
      throw withRate(ofAll(refused.refusal, outcomes.length), rate);
    return { outcomes, rate };
  };
}

type Key = { value: string | undefined } | { refusal: AppError };
type Body = ReadEvents | { refusal: AppError; problem: BodyProblem; preview: string | null };
/** `position`: in a list of several; null for an event alone. `receivedAt`: when tracing is on. */
type OneEvent = { body: Body; key: Key; rate: LimitState; position: number | null; receivedAt: number | undefined };

/** `isFree`: its call was given back to the rate limit. */
type Ended = EventOutcome & { isFree: boolean };

/** The state of the rate limit after what was given back. `rates`: of the events, in the order in which they were counted. */
function rateLeft(rates: readonly LimitState[], ended: readonly Ended[]): LimitState {
  const [first] = rates;
  const counted = rates.findLast((rate) => !rate.exceeded) ?? first;
  if (!counted) throw new Error('A call has one event at least.');
  return { ...counted, remaining: Math.min(counted.limit, counted.remaining + ended.filter(({ isFree }) => isFree).length) };
}

/** A refusal for being too fast names the limit that was passed, which may be another. */
function withRate(refusal: AppError, rate: LimitState): AppError {
  if (refusal.status === 429) return refusal;
  return new AppError(refusal.code, { ...refusal.extras, headers: { ...refusal.extras.headers, ...limitHeaders(rate) } });
}

/** Accepts one event. A fault is thrown; a refusal is returned, since it may be that of one event of many. */
async function acceptOne(
  deps: IngestDeps,
  call: IngestCall,
  template: Template | undefined,
  { body, key, rate, position, receivedAt }: OneEvent,
): Promise<Ended> {
  const event = 'events' in body ? (body.events[0] ?? null) : null;
  const place = position === null ? '' : `#${position}`;
  const given = 'value' in key && key.value !== undefined ? `${key.value}${place}` : undefined;
  const result = await deps.acceptor.accept({
    workflowId: call.workflowId,
    source: 'ingest',
    body: 'events' in body ? { input: event ?? {}, remarks: body.remarks } : { problem: body.problem, preview: body.preview },
    overRate: rate.exceeded,
    idempotencyKey: given,
    comparesBody: true,
    // The sender's own key counts alone.
    ...(given === undefined && 'value' in key
      ? {
          eventIdBy: (agent: EventIdSource | null): EventId | undefined => {
            const found = eventIdOf({ agent, template: template?.eventId }, call.header, event);
            // A header names the whole list.
            if (found?.isHeader) return { ...found, id: `${found.id}${place}` };
            // Its end is no repeat.
            const state = event && stateUnderWay(template, event);
            return found && state ? { ...found, id: `${found.id}\n${state}` } : found;
          },
        }
      : {}),
    senderAddress: call.address,
    ...(receivedAt === undefined ? {} : { receivedAt, sentBy: parseTraceparent(call.header('traceparent')) }),
  });
  // Only events that reach the rate limit count against it. One over the limit may not have been counted.
  const isFree = isDecidedBeforeRate(result.outcome) && !rate.exceeded;
  if (isFree) await deps.limits.release('ingest', call.workflowId);
  if (result.outcome === 'accepted' || result.outcome === 'replayed') return { executionId: result.executionId, isFree };
  try {
    if (result.outcome === 'rate_limited') throw rateRefusal(rate);
    if ('refusal' in body && result.outcome === body.problem) throw body.refusal;
    return refuseOutcome(result);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error, isFree };
  }
}

/** The refusal of a list of which no event was accepted: that of its first. */
function ofAll(first: AppError, count: number): AppError {
  const { detail = first.message, ...extras } = first.extras;
  return new AppError(first.code, { ...extras, detail: `None of the ${count} events was accepted. The first: ${detail}` });
}

/** A key that cannot be used is judged with the body, so that it says nothing about an account and is logged like it. */
function readKey(call: IngestCall): Key {
  try {
    return { value: call.idempotencyKey() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error };
  }
}

/** Reads the body; what is wrong with it is decided last and becomes the reason in the inbound log. */
async function readBody(rawBody: RawBody, template: Template | undefined): Promise<Body> {
  try {
    return await readEvents(rawBody, template);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedBody(rawBody, error);
  }
}

function refusedBody(rawBody: RawBody, refusal: AppError): Body {
  return { refusal, problem: bodyProblem(refusal), preview: refusal.code === 'too_large' ? null : previewOf(rawBody) };
}

function bodyProblem(error: AppError): BodyProblem {
  const { code } = error;
  if (code === 'malformed_json' || code === 'too_large' || code === 'unsupported_media_type') return code;
  return 'validation_failed';
}

function previewOf({ bytes, isCompressed }: RawBody): string | null {
  return isCompressed ? null : maskText(bytes.subarray(0, 4_096).toString('utf8'));
}
