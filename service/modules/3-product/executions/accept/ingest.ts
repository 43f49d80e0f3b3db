import { type BodyProblem, isDecidedBeforeRate } from '@partner-portal/core/execution/acceptance.ts';
import { ingestToken, tokenMatches } from '@partner-portal/core/execution/token.ts';
import { mapAliases } from '@partner-portal/core/template/input.ts';
import type { Json, Template } from '@partner-portal/core/template/types.ts';
import { maskText } from '@partner-portal/core/contact/mask.ts';
import type { RawBody } from '#platform/http/raw-body.ts';
import { type LimitState, type RateLimits, rateRefusal } from '#platform/http/rate-limit.ts';
import { isId } from '#platform/ids.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import type { Secret } from '#platform/secret.ts';
import { type Acceptor, type Candidate, refuseOutcome } from './accept.ts';

export type IngestLimit = 'ingest' | 'badIngestToken';

export type IngestDeps = {
  acceptor: Acceptor;
  limits: RateLimits<IngestLimit>;
  callbackSecret: Secret;
  templateOf: (name: string) => Template | undefined;
};

export type IngestCall = {
  workflowId: string;
  token: string | undefined;
  address: string;
  /** Read after the token is checked: an invalid key must not be reported to a caller without one. */
  idempotencyKey: () => string | undefined;
  rawBody: RawBody;
};
export type Ingested = { executionId: string; rate: LimitState };

export type Ingest = (call: IngestCall) => Promise<Ingested>;

const BLOCKED_MAX = 50_000;
const VERIFIED_MAX = 20_000;

/**
 * Accepts incoming events. Checks: rate limit of the address (bad tokens only), token, then those of core/execution/acceptance.ts.
 * A call without a valid token costs no query. Rules: docs/behaviour/executions.md.
 */
export function createIngest(deps: IngestDeps): Ingest {
  // Addresses that sent too many bad tokens, and until when (ms). In memory, so that a valid call needs no counter.
  const blocked = new Map<string, number>();

  // Tokens that were verified once. Only valid ones are cached, so a caller cannot fill the cache.
  const verified = new Map<string, string>();

  const refuseBadToken = async (address: string): Promise<never> => {
    const state = await deps.limits.count('badIngestToken', address);
    if (state.exceeded) {
      if (blocked.size >= BLOCKED_MAX) blocked.clear();
      blocked.set(address, Date.now() + state.resetSeconds * 1000);
      throw rateRefusal(state);
    }
    return refuse('invalid_ingest_token', { detail: 'Copy the ingest URL again: its token does not belong to this agent.' });
  };
  return async (call) => {
    const until = blocked.get(call.address);
    if (until !== undefined) {
      const leftMs = until - Date.now();
      if (leftMs > 0)
        refuse('rate_limited', {
          detail: 'Too many calls with a wrong token came from this address.',
          retryAfterSeconds: Math.ceil(leftMs / 1000),
        });
      blocked.delete(call.address);
    }
    const expected = verified.get(call.workflowId) ?? ingestToken(deps.callbackSecret.reveal(), call.workflowId);
    if (!tokenMatches(expected, call.token)) return refuseBadToken(call.address);
    if (verified.size >= VERIFIED_MAX) verified.clear();
    verified.set(call.workflowId, expected);
    if (!isId(call.workflowId)) refuse('not_found');
    const [facts, rate] = await Promise.all([deps.acceptor.factsOf(call.workflowId), deps.limits.count('ingest', call.workflowId)]);
    const template = facts ? deps.templateOf(facts.templateName) : undefined;
    const key = readKey(call);
    const result = await deps.acceptor.accept({
      workflowId: call.workflowId,
      source: 'ingest',
      body: 'refusal' in key ? { problem: 'validation_failed', preview: previewOf(call.rawBody) } : readEvent(call.rawBody, template),
      overRate: rate.exceeded,
      idempotencyKey: 'refusal' in key ? undefined : key.value,
      comparesBody: true,
      senderAddress: call.address,
    });
    // Only events that reach the rate limit count against it. One over the limit may not have been counted.
    if (isDecidedBeforeRate(result.outcome) && !rate.exceeded) await deps.limits.giveBack('ingest', call.workflowId);
    if (result.outcome === 'accepted' || result.outcome === 'replayed') return { executionId: result.executionId, rate };
    if (result.outcome === 'rate_limited') throw rateRefusal(rate);
    if (result.outcome === 'validation_failed' && 'refusal' in key) throw key.refusal;
    return refuseOutcome(result);
  };
}

/** A key that cannot be used is judged with the body, so that it says nothing about an account and is logged like it. */
function readKey(call: IngestCall): { value: string | undefined } | { refusal: AppError } {
  try {
    return { value: call.idempotencyKey() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error };
  }
}

/** Reads the body; what is wrong with it is decided last and becomes the reason in the inbound log. */
function readEvent(rawBody: RawBody, template: Template | undefined): Candidate['body'] {
  try {
    const { kind, value } = rawBody.read();
    const input = value as { [key: string]: Json }; // just parsed from JSON or a form
    return { input: template && kind === 'form' ? mapAliases(template, input) : input };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problem: bodyProblem(error), preview: error.code === 'too_large' ? null : previewOf(rawBody) };
  }
}

function bodyProblem(error: AppError): BodyProblem {
  const { code } = error;
  if (code === 'malformed_json' || code === 'too_large' || code === 'unsupported_media_type') return code;
  return 'validation_failed';
}

function previewOf({ bytes, isCompressed }: RawBody): string | null {
  return isCompressed ? null : maskText(bytes.subarray(0, 4_096).toString('utf8'));
}
