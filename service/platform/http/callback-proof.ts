import type { FastifyRequest } from 'fastify';
import { AppError } from '../refuse.ts';
import { rateRefusal, type RateLimits } from './rate-limit.ts';

/** Whether a token is the proof for a subject. Costs no query. */
export type CallbackProof = (subject: string, token: string | undefined) => boolean;

type Deps = { callbackProof?: CallbackProof; limits: RateLimits<'badCallbackToken'> };

/**
 * Returns whether a callback is proven: true with the token of its subject, false when it names none. Refuses `invalid_callback_token`,
 * and `rate_limited` once its address sent too many calls without a proof. A call with one is never refused for its address.
 */
export async function isProven(deps: Deps, subject: string | null, request: FastifyRequest): Promise<boolean> {
  const given = request.headers['x-callback-token'];
  const token = typeof given === 'string' ? given : undefined;
  if (subject !== null && deps.callbackProof?.(subject, token) === true) return true;
  const state = await deps.limits.count('badCallbackToken', request.ip);
  if (state.exceeded) throw rateRefusal(state);
  if (subject !== null)
    throw new AppError('invalid_callback_token', { detail: 'The X-Callback-Token header does not match the subject of this call.' });
  return false;
}
