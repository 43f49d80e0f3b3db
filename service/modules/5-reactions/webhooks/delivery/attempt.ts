import type { AttemptOutcome, BodyError } from '@partner-portal/core/webhook/delivery.ts';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import type { Clock } from '#platform/clock.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';

export type AttemptDeps = { fetch: SafeFetch; clock: Clock };
export type AttemptRecord = {
  outcome: AttemptOutcome;
  httpStatus: number | null;
  durationMs: number;
  preview: string | null;
  /** The signature header that was sent. */
  signature: string;
};

/** Covers name resolution, connection, request and the whole response. */
export const ATTEMPT_MS = 10_000;
const RESPONSE_BYTES = 16 * 1024;
const PREVIEW_BYTES = 1024;

/**
 * Makes one attempt: signs the stored bytes with a fresh timestamp, posts them and returns the outcome. Never throws for what the receiver
 * does.
 */
export async function makeAttempt(
  deps: AttemptDeps,
  delivery: { url: string; eventType: string; body: string; secret: string },
): Promise<AttemptRecord> {
  const timestampSeconds = Math.floor(deps.clock.now().getTime() / 1000);
  const signature = webhookSignatureHeader(delivery.secret, timestampSeconds, delivery.body);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': delivery.eventType,
    'x-service-signature': signature,
  };
  const startedAt = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await deps.fetch.call({
      method: 'POST',
      url: delivery.url,
      headers,
      body: delivery.body,
      timeoutMs: ATTEMPT_MS,
      answerBytesMax: RESPONSE_BYTES,
      bodyMayBreak: true,
    });
    return {
      outcome: { kind: 'answer', status: answer.status, ...(answer.bodyError ? { bodyError: bodyErrorOf(answer.bodyError) } : {}) },
      httpStatus: answer.status,
      durationMs: tookMs(),
      preview: previewOf(answer.body),
      signature,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const reason = error.reason === 'aborted' ? 'connection_failed' : error.reason;
    return { outcome: { kind: 'no_answer', error: reason }, httpStatus: null, durationMs: tookMs(), preview: null, signature };
  }
}

function bodyErrorOf({ reason }: OutboundError): BodyError {
  return reason === 'timeout' || reason === 'broken_answer' ? reason : 'connection_failed';
}

/** Returns the first 1 KiB of a response as text the database can store; null when it is empty. */
export function previewOf(body: Buffer): string | null {
  let text = body.subarray(0, PREVIEW_BYTES).toString('utf8').replaceAll('\u0000', '');
  // Drops a character cut in two at the end. Binary data grows when decoded, so the result is cut again.
  if (body.length > PREVIEW_BYTES) text = text.replace(/\uFFFD+$/, '');
  if (Buffer.byteLength(text) > PREVIEW_BYTES)
    text = Buffer.from(text)
      .subarray(0, PREVIEW_BYTES)
      .toString('utf8')
      .replace(/\uFFFD+$/, '');
  while (Buffer.byteLength(text) > PREVIEW_BYTES) text = text.slice(0, -1);
  return text === '' ? null : text;
}
