import type { FastifyRequest } from 'fastify';
import { AppError } from '../refuse.ts';
import { rateRefusal, type RateLimits } from './rate-limit.ts';

/** Whether a token is the proof for a subject. Costs no query. */
export type CallbackProof = (subject: string, token: string | undefined) => boolean;

/** The subjects a body may name, before and in what it reports, that are tried. */
const NAMES_MAX = 64;
const VALUE = /^\s*:\s*"([\w-]{1,64})"/;

/**
 * Returns whether a body names a subject that its token proves, in whichever place: a search of the bytes, which costs a hundredth of judging
 * them, so that a large body without a proof costs next to nothing.
 */
export function namesProven(proof: CallbackProof, member: string, bytes: Buffer, token: string): boolean {
  const name = `"${member}"`;
  let at = bytes.indexOf(name);
  for (let count = 0; at !== -1 && count < NAMES_MAX; count += 1) {
    const from = at + name.length;
    const value = VALUE.exec(bytes.toString('latin1', from, from + 100))?.[1];
    if (value !== undefined && proof(value, token)) return true;
    at = bytes.indexOf(name, from);
  }
  return false;
}

/** Returns the token of a callback. */
export function tokenOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = request.headers['x-callback-token'];
  return typeof given === 'string' ? given : undefined;
}

type Deps = { callbackProof?: CallbackProof; limits: RateLimits<'badCallbackToken'> };

/**
 * Returns whether a callback is proven: true with the token of its subject, false when it names none. Refuses `invalid_callback_token`,
 * and `rate_limited` once its address sent too many calls without a proof. A call with one is never refused for its address.
 */
export async function isProven(deps: Deps, subject: string | null, request: FastifyRequest): Promise<boolean> {
  const token = tokenOf(request);
  if (subject !== null && deps.callbackProof?.(subject, token) === true) return true;
  const state = await deps.limits.count('badCallbackToken', request.ip);
  if (state.exceeded) throw rateRefusal(state);
  if (subject !== null)
    throw new AppError('invalid_callback_token', { detail: 'The X-Callback-Token header does not match the subject of this call.' });
  return false;
}
