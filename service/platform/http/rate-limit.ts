import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type pg from 'pg';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../refuse.ts';
import { createTurns, type Turns } from '../turns.ts';
import { networkOf } from './network.ts';

/** Points per window. Source: specification, Limits; product.md §2.4 for `partner`, `loginFailure`, `badIngestToken`. */
const WINDOWS = {
  caller: { points: LIMITS.callerRequestsPerMinute, seconds: 60 },
  register: { points: LIMITS.registerRequestsPerMinute, seconds: 60 },
  mfaVerify: { points: LIMITS.mfaVerifyRequestsPerMinute, seconds: 60 },
  ingest: { points: LIMITS.ingestRequestsPerMinute, seconds: 60 },
  partner: { points: LIMITS.partnerRequestsPerMinute, seconds: 60 },
  /** Failed sign-ins for one e-mail from one network address, from one network address for any e-mail, and for one e-mail from anywhere. */
  loginFailure: { points: LIMITS.loginFailuresPerAddress, seconds: LIMITS.loginFailureWindowMinutes * 60 },
  loginFailureOfAddress: { points: LIMITS.loginFailuresPerAddress * 10, seconds: LIMITS.loginFailureWindowMinutes * 60 },
  loginFailureOfAccount: { points: LIMITS.loginFailuresPerAddress * 10, seconds: LIMITS.loginFailureWindowMinutes * 60 },
  /** Wrong codes of one user's second step, over all sign-ins and sessions. */
  mfaFailure: { points: LIMITS.mfaFailuresPerHour, seconds: 3600 },
  /** Links for a new password: for one e-mail, and from one network address for any e-mail. */
  passwordReset: { points: LIMITS.passwordResetsPerEmail, seconds: LIMITS.loginFailureWindowMinutes * 60 },
  passwordResetOfAddress: { points: LIMITS.passwordResetsPerEmail * 10, seconds: LIMITS.loginFailureWindowMinutes * 60 },
  /** Mails that one agency's invitations send to one e-mail: an address that never asked for them is not to be flooded. */
  invitationMail: { points: LIMITS.invitationMailsPerHour, seconds: 3600 },
  badIngestToken: { points: LIMITS.callerRequestsPerMinute, seconds: 60 },
} as const;

export type LimitName = keyof typeof WINDOWS;
export type LimitState = { limit: number; remaining: number; resetSeconds: number; exceeded: boolean };

export type RateLimits = {
  /** Counts one call and says where that leaves the key. */
  count(name: LimitName, key: string): Promise<LimitState>;
  /** Where the key stands, without counting. */
  look(name: LimitName, key: string): Promise<LimitState>;
  /** Counts one call and refuses (`rate_limited`, `partner_throttled`) when it is one too many. */
  require(name: LimitName, key: string): Promise<LimitState>;
  forget(name: LimitName, key: string): Promise<void>;
  /** Takes one count back: the call turned out not to be one that this limit is about. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** For what counts until it is known to be fine: many at once of one key wait for each other in this process instead of refusing each other. */
  inTurn: Turns;
};

export type RateLimitOptions = {
  /** Shared counters for several processes; one process counts in memory. */
  pool?: pg.Pool;
  callerRequestsPerMinute?: number;
  partnerRequestsPerMinute?: number;
};

/** All counters of the process. A flood that is already refused costs no query: the refusal is remembered in memory. */
export function createRateLimits(options: RateLimitOptions = {}): RateLimits {
  const chosen: Partial<Record<LimitName, number | undefined>> = {
    caller: options.callerRequestsPerMinute,
    partner: options.partnerRequestsPerMinute,
  };
  const limiters = new Map<LimitName, { limiter: RateLimiterAbstract; points: number; seconds: number }>();
  for (const name of Object.keys(WINDOWS) as LimitName[]) {
    const window = WINDOWS[name];
    const points = chosen[name] ?? window.points;
    limiters.set(name, { limiter: build(name, points, window.seconds, options.pool), points, seconds: window.seconds });
  }
  const of = (name: LimitName) => {
    const found = limiters.get(name);
    if (!found) throw new Error(`There is no limit "${name}".`);
    return found;
  };
  const state = (points: number, seconds: number, result: RateLimiterRes | null): LimitState => ({
    limit: points,
    remaining: Math.max(0, points - (result?.consumedPoints ?? 0)),
    resetSeconds: Math.max(1, Math.ceil((result?.msBeforeNext ?? seconds * 1000) / 1000)),
    exceeded: (result?.consumedPoints ?? 0) > points,
  });
  const count = async (name: LimitName, key: string): Promise<LimitState> => {
    const { limiter, points, seconds } = of(name);
    try {
      return state(points, seconds, await limiter.consume(perNetwork(key)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { ...state(points, seconds, refused), exceeded: true, remaining: 0 };
    }
  };
  return {
    count,
    async look(name, key) {
      const { limiter, points, seconds } = of(name);
      return state(points, seconds, await limiter.get(perNetwork(key)));
    },
    async require(name, key) {
      const result = await count(name, key);
      if (result.exceeded) throw tooFast(name, result);
      return result;
    },
    async forget(name, key) {
      await of(name).limiter.delete(perNetwork(key));
    },
    async giveBack(name, key) {
      await of(name).limiter.reward(perNetwork(key));
    },
    inTurn: createTurns(),
  };
}

/** Keys end with the address they count for, after a blank or `ip:`, when they count for one. */
function perNetwork(key: string): string {
  const at = key.startsWith('ip:') ? 3 : key.lastIndexOf(' ') + 1;
  return key.slice(0, at) + networkOf(key.slice(at));
}

/** The refusal that goes with a limit that was passed. */
export function tooFast(name: LimitName, state: LimitState): AppError {
  const code = name === 'partner' ? 'partner_throttled' : 'rate_limited';
  return new AppError(code, {
    detail: `Please wait ${inWords(state.resetSeconds)} before the next request.`,
    retryAfterSeconds: state.resetSeconds,
    headers: limitHeaders(state),
  });
}

function inWords(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Where a caller stands, as product.md §2.4 tells it. */
export function limitHeaders(state: LimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  };
}

function build(name: LimitName, points: number, seconds: number, pool: pg.Pool | undefined): RateLimiterAbstract {
  const shape = { keyPrefix: name, points, duration: seconds };
  const memory = new RateLimiterMemory(shape);
  if (!pool) return memory;
  return new RateLimiterPostgres({
    ...shape,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    inMemoryBlockOnConsumed: points + 1,
    // A database that is away must not lock everybody out, nor let everybody in: each process counts for itself.
    insuranceLimiter: memory,
  });
}
