import { createHash } from 'node:crypto';
import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type pg from 'pg';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { createCounterClient } from './counter-client.ts';
import { createKeyedLimiter, type KeyedLimiter } from '../keyed-limiter.ts';
import { AppError } from '../refuse.ts';
import { networkOf } from './network.ts';

/** `points` requests in `seconds`; `code` is the refusal beyond them, `rate_limited` when left out. */
export type RateWindow = { points: number; seconds: number; code?: ErrorCode };

export type LimitState = { limit: number; remaining: number; resetSeconds: number; exceeded: boolean; code: ErrorCode };

/** Counters by name and key. A user of some limits names only those: `RateLimits<'loginFailure'>`. */
export type RateLimits<Name extends string> = {
  /** Counts one request and returns the state of the key. */
  count: (name: Name, key: string) => Promise<LimitState>;
  /**
   * Counts one request for two keys in one round trip. What the first refuses does not count for the second, whose state is then null.
   */
  countBoth: (first: readonly [Name, string], second: readonly [Name, string]) => Promise<[LimitState, LimitState | null]>;
  /** Returns the state of the key without counting. */
  peek: (name: Name, key: string) => Promise<LimitState>;
  /** Counts one request and refuses with the limit's code when it exceeds the limit. */
  require: (name: Name, key: string) => Promise<LimitState>;
  forget: (name: Name, key: string) => Promise<void>;
  /** Takes one count back, for a request that turned out not to be subject to this limit. */
  release: (name: Name, key: string) => Promise<void>;
  /** For counts that are given back on success: concurrent requests of one key wait for each other instead of refusing each other. */
  oneAtATime: KeyedLimiter;
};

/**
 * Creates the counters of this process from a table of windows. With `pool` several processes share them; without it, and for a call
 * that the database did not count within `waitMs`, they are in memory.
 * A key that is already refused costs no query: the refusal is cached in memory.
 */
export function createRateLimits<Name extends string>(
  windows: { readonly [N in Name]: RateWindow },
  options: { pool?: pg.Pool; waitMs?: number } = {},
): RateLimits<Name> {
  const limiters = new Map<string, RateWindow & { limiter: RateLimiterAbstract }>();
  const client = options.pool && createCounterClient(options.pool, options.waitMs);
  /** Calls that count for two keys at once, by the first of them. */
  const underWay = new Map<string, number>();
  for (const [name, window] of Object.entries<RateWindow>(windows)) limiters.set(name, { ...window, limiter: build(name, window, client) });
  const of = (name: Name) => {
    const found = limiters.get(name);
    if (!found) throw new Error(`There is no limit "${name}".`);
    return found;
  };
  const state = ({ points, seconds, code = 'rate_limited' }: RateWindow, result: RateLimiterRes | null): LimitState => ({
    limit: points,
    remaining: Math.max(0, points - (result?.consumedPoints ?? 0)),
    resetSeconds: Math.max(1, Math.ceil((result?.msBeforeNext ?? seconds * 1000) / 1000)),
    exceeded: (result?.consumedPoints ?? 0) > points,
    code,
  });
  const count = async (name: Name, key: string): Promise<LimitState> => {
    const found = of(name);
    try {
      return state(found, await found.limiter.consume(perNetwork(key)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { ...state(found, refused), exceeded: true, remaining: 0 };
    }
  };
  return {
    count,
    async countBoth(first, second) {
      const { limiter, points } = of(first[0]);
      const key = perNetwork(first[1]);
      const calls = underWay.get(`${first[0]} ${key}`) ?? 0;
      // In memory a count costs nothing, and so does a key that is known to be refused. Many calls of one key at once may be beyond its limit: they
      // must not use up that of the second before this is known.
      if (!client || calls >= points / 2 || isKnownRefused(limiter, key)) {
        const own = await count(...first);
        return [own, own.exceeded ? null : await count(...second)];
      }
      underWay.set(`${first[0]} ${key}`, calls + 1);
      try {
        const [own, other] = await Promise.all([count(...first), count(...second)]);
        if (!own.exceeded) return [own, other];
        await of(second[0]).limiter.reward(perNetwork(second[1]));
        return [own, null];
      } finally {
        const left = (underWay.get(`${first[0]} ${key}`) ?? 1) - 1;
        if (left > 0) underWay.set(`${first[0]} ${key}`, left);
        else underWay.delete(`${first[0]} ${key}`);
      }
    },
    async peek(name, key) {
      const found = of(name);
      return state(found, await found.limiter.get(perNetwork(key)));
    },
    async require(name, key) {
      const result = await count(name, key);
      if (result.exceeded) throw rateRefusal(result);
      return result;
    },
    async forget(name, key) {
      await of(name).limiter.delete(perNetwork(key));
    },
    async release(name, key) {
      await of(name).limiter.reward(perNetwork(key));
    },
    oneAtATime: createKeyedLimiter(),
  };
}

/** Whether a call of the key is refused without a query. The method is missing in the library's types. */
function isKnownRefused(limiter: RateLimiterAbstract, key: string): boolean {
  const { getInMemoryBlockMsBeforeExpire } = limiter as RateLimiterAbstract & { getInMemoryBlockMsBeforeExpire?(key: string): number };
  return (getInMemoryBlockMsBeforeExpire?.call(limiter, limiter.getKey(key)) ?? 0) > 0;
}

/** The column holds 255 characters, with the name of the limit. */
const KEY_LENGTH_MAX = 200;

/** Returns the network of a key. A key for an address ends with it, after a blank or `ip:`. A key that is too long for the table is replaced by its hash. */
function perNetwork(key: string): string {
  const at = key.startsWith('ip:') ? 3 : key.lastIndexOf(' ') + 1;
  const found = key.slice(0, at) + networkOf(key.slice(at));
  return found.length <= KEY_LENGTH_MAX ? found : createHash('sha256').update(found).digest('base64url');
}

/** Returns the refusal of an exceeded limit. */
export function rateRefusal(state: LimitState): AppError {
  return new AppError(state.code, {
    detail: `Please wait ${formatWait(state.resetSeconds)} before the next request.`,
    retryAfterSeconds: state.resetSeconds,
    headers: limitHeaders(state),
  });
}

function formatWait(seconds: number): string {
  const [count, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the RateLimit headers of a response. */
export function limitHeaders(state: LimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  };
}

function build(
  name: string,
  { points, seconds }: RateWindow,
  client: ReturnType<typeof createCounterClient> | undefined,
): RateLimiterAbstract {
  const shape = { keyPrefix: name, points, duration: seconds };
  const memory = new RateLimiterMemory(shape);
  if (!client) return memory;
  return new RateLimiterPostgres({
    ...shape,
    storeClient: client,
    storeType: 'client',
    tableName: 'rate_limit',
    tableCreated: true,
    inMemoryBlockOnConsumed: points + 1,
    // An unavailable database must neither refuse nor admit every caller: each process counts for itself.
    insuranceLimiter: memory,
  });
}
