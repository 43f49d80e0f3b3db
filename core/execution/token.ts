import { createHmac, timingSafeEqual } from 'node:crypto';

/** Tokens derived from `AUTOMATION_CALLBACK_SECRET`. None is stored, so rotating the secret revokes them all. */

/** Returns the token of a workflow's ingest URL: 64 characters of lowercase hex. */
export function ingestToken(secret: string, workflowId: string): string {
  return hmac(secret, `ingest:${workflowId}`);
}

/** Returns the token that authorizes a flow's callbacks for one execution: HMAC-SHA256(secret, "execution:" + executionId), lowercase hex. */
export function callbackToken(secret: string, executionId: string): string {
  return hmac(secret, `execution:${executionId}`);
}

/** Returns whether a token authorizes the callbacks of one execution. */
export function isCallbackToken(secret: string, executionId: string, given: string | undefined): boolean {
  return tokenMatches(callbackToken(secret, executionId), given);
}

/** Compares two tokens in constant time. */
export function tokenMatches(expected: string, given: string | undefined): boolean {
  if (given === undefined) return false;
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
