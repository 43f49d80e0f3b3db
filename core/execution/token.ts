import { createHmac, timingSafeEqual } from 'node:crypto';

/** Tokens derived from `AUTOMATION_CALLBACK_SECRET`. None is stored, so rotating the secret revokes them all. */

/** The token in a workflow's ingest URL: lowercase hex, 64 characters. */
export function ingestToken(secret: string, workflowId: string): string {
  return hmac(secret, `ingest:${workflowId}`);
}

/** The proof a flow carries to speak for one run: HMAC-SHA256(secret, "execution:" + executionId), lowercase hex. */
export function callbackToken(secret: string, executionId: string): string {
  return hmac(secret, `execution:${executionId}`);
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
