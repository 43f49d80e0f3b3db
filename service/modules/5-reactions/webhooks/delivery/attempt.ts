import type { AttemptOutcome } from '@partner-portal/core/webhook/delivery.ts';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import type { Clock } from '#platform/clock.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';

export type AttemptDeps = { fetch: SafeFetch; clock: Clock };
export type AttemptRecord = { outcome: AttemptOutcome; httpStatus: number | null; durationMs: number; preview: string | null };

/** For everything: name, connection, request, the whole answer. */
export const ATTEMPT_MS = 10_000;
const ANSWER_BYTES = 16 * 1024;
const PREVIEW_BYTES = 1024;

/**
 * Makes one attempt: signs the stored bytes with a fresh timestamp, posts them, and says what came back. Never throws for anything the
 * receiver does. Source: specification, Delivery request and Outbound webhook signing.
 */
export async function makeAttempt(
  deps: AttemptDeps,
  delivery: { url: string; eventType: string; body: string; secret: string },
): Promise<AttemptRecord> {
  const timestampSeconds = Math.floor(deps.clock.now().getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': delivery.eventType,
    'x-service-signature': webhookSignatureHeader(delivery.secret, timestampSeconds, delivery.body),
  };
  const beganAt = performance.now();
  const tookMs = (): number => Math.round(performance.now() - beganAt);
  try {
    const answer = await deps.fetch.call({
      method: 'POST',
      url: delivery.url,
      headers,
      body: delivery.body,
      timeoutMs: ATTEMPT_MS,
      answerBytesMax: ANSWER_BYTES,
    });
    return {
      outcome: { kind: 'answer', status: answer.status, retryAfter: answer.headers['retry-after'] },
      httpStatus: answer.status,
      durationMs: tookMs(),
      preview: previewOf(answer.body),
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const reason = error.reason === 'aborted' ? 'connection_failed' : error.reason;
    return { outcome: { kind: 'no_answer', error: reason }, httpStatus: null, durationMs: tookMs(), preview: null };
  }
}

/** The beginning of an answer as text the database can hold, at most 1 KiB of it; null when there is none. */
export function previewOf(body: Buffer): string | null {
  let text = body.subarray(0, PREVIEW_BYTES).toString('utf8').replaceAll('\u0000', '');
  // A character that was cut in two at the end is no news; and what is not text grows when it is made text.
  if (body.length > PREVIEW_BYTES) text = text.replace(/\uFFFD+$/, '');
  if (Buffer.byteLength(text) > PREVIEW_BYTES)
    text = Buffer.from(text)
      .subarray(0, PREVIEW_BYTES)
      .toString('utf8')
      .replace(/\uFFFD+$/, '');
  while (Buffer.byteLength(text) > PREVIEW_BYTES) text = text.slice(0, -1);
  return text === '' ? null : text;
}
