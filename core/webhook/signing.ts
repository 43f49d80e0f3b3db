import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Tokens derived from AUTOMATION_CALLBACK_SECRET; none is stored, so rotating the secret ends them all at once.
 * Sources: specification, Ingest URL token; product.md §5.4, Callback proof.
 */

/** The token in a workflow's ingest URL: lowercase hex, 64 characters. */
export function ingestToken(secret: string, workflowId: string): string {
  return hmac(secret, `ingest:${workflowId}`);
}

/** The proof a flow carries to speak for one run: HMAC-SHA256(secret, "execution:" + executionId), lowercase hex. */
export function callbackToken(secret: string, executionId: string): string {
  return hmac(secret, `execution:${executionId}`);
}

/**
 * The signature of an outbound delivery: HMAC-SHA256 keyed by the endpoint's secret (its whole text, `whsec_` included) over
 * `<timestamp>.<body>`, lowercase hex. `body` is exactly what is sent. Source: specification, Outbound webhook signing.
 */
export function webhookSignature(secret: string, timestampSeconds: number, body: string): string {
  return hmac(secret, `${timestampSeconds}.${body}`);
}

/** The header `X-Service-Signature` of such a delivery: `t=<timestamp>,v1=<signature>`. */
export function webhookSignatureHeader(secret: string, timestampSeconds: number, body: string): string {
  return `t=${timestampSeconds},v1=${webhookSignature(secret, timestampSeconds, body)}`;
}

/** Compares in constant time; false for any other length. */
export function tokenMatches(expected: string, given: string | undefined): boolean {
  if (given === undefined) return false;
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
