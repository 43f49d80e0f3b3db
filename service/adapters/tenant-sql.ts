import { Worker } from 'node:worker_threads';
import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { refuseInsideTransaction, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createKeyedLimiter } from '#platform/keyed-limiter.ts';
import type { JsonValue } from './tenant-sql-values.ts';

export type { JsonValue } from './tenant-sql-values.ts';

type Address = CredentialData['postgres'];

/** Why nothing was read. `message` is for the customer: the database's own words for a query, never a host, a user or a password. */
export type SqlProblem = { ok: false; reason: 'private_address' | 'unreachable' | 'refused' | 'query'; message: string };
export type SqlRows = { ok: true; columns: string[]; rows: { [column: string]: JsonValue }[]; truncated: boolean };

/** Somebody else's SQL database. Every use resolves and checks its address anew and connects to what was checked. */
export type TenantSql = {
  /** Looks at an address without connecting. */
  checkAddress(host: string, port: number): Promise<{ ok: true } | SqlProblem>;
  /** One SELECT in a read-only transaction; at most `rowsMax` rows within `timeoutMs`. Never throws for what the database does. */
  query(
    address: Address,
    text: string,
    params: readonly JsonValue[],
    bounds: { rowsMax: number; timeoutMs: number },
  ): Promise<SqlRows | SqlProblem>;
};

/** What the thread that reads is told. */
export type SqlOrder = {
  address: Address;
  /** The checked address, which is connected to. */
  ip: string;
  text: string;
  params: readonly JsonValue[];
  bounds: { rowsMax: number; timeoutMs: number };
  connectMs: number;
};

const CONNECT_MS = 8_000;
/** What the thread may take beyond its own deadline before it is taken for one that hangs. */
const HANG_MS = 4_000;
const HEAP_MB_MAX = 192;
/** Threads at once, and of them at one address: each costs memory for as long as its database likes to take. */
const AT_ONCE = { total: 16, perKey: 4 };
/** The step of a flow that asked has given up after 30 seconds: what waited this long would be read for nobody. */
const WAIT_MS = 10_000;
/** A thread that has computed for so long reads no answer: a full one takes a fraction of it. By the processor's clock, since on a busy machine good ones wait for theirs. */
const COMPUTED_MS_MAX = 3_000;
const LOOK_MS = 500;
const CROWDED = 'Too many reads of databases wait already. Try again later.';
const THREAD = new URL('./tenant-sql-worker.ts', import.meta.url);

/** `resolveHost` is the outbound guard: it refuses a name when any of its addresses is not public. */
export function createTenantSql(
  guard: Pick<SafeFetch, 'resolveHost'>,
  {
    waitMs = WAIT_MS,
    connectMs = CONNECT_MS,
    now = () => performance.now(),
  }: { waitMs?: number; connectMs?: number; now?: () => number } = {},
): TenantSql {
  const resolve = async (host: string, port: number): Promise<string | SqlProblem> => {
    refuseInsideTransaction();
    try {
      const [first] = await guard.resolveHost(host, port);
      return first ?? { ok: false, reason: 'unreachable', message: 'The host name could not be found.' };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { ok: false, reason: error.reason === 'private_address' ? 'private_address' : 'unreachable', message: error.message };
    }
  };
  const turn = createKeyedLimiter(AT_ONCE);
  return {
    async checkAddress(host, port) {
      const found = await resolve(host, port);
      return typeof found === 'string' ? { ok: true } : found;
    },
    async query(address, text, params, bounds) {
      const found = await resolve(address.host, address.port);
      if (typeof found !== 'string') return found;
      const askedAt = now();
      return turn(found, async () => {
        if (now() - askedAt > waitMs) return { ok: false, reason: 'unreachable', message: CROWDED };
        return readApart({ address, ip: found, text, params, bounds, connectMs });
      });
    },
  };
}

/**
 * Reads in a thread of its own. The other side is a stranger, and the client that reads it trusts what a server says: one message
 * cut short throws where nobody can catch it, another is read for ever. Either ends the thread, and nothing else.
 */
function readApart(order: SqlOrder): Promise<SqlRows | SqlProblem> {
  const { promise, resolve } = Promise.withResolvers<SqlRows | SqlProblem>();
  const unread = (): void => resolve({ ok: false, reason: 'unreachable', message: 'What the database sent could not be read.' });
  // Settings of this process are none of its business: the client would read some of them.
  const thread = new Worker(THREAD, { workerData: order, env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } });
  const hang = setTimeout(unread, order.connectMs + order.bounds.timeoutMs + HANG_MS);
  const look = setInterval(() => {
    thread.cpuUsage().then(
      ({ user, system }) => {
        if ((user + system) / 1_000 > COMPUTED_MS_MAX) unread();
      },
      // It has ended, and said so.
      () => undefined,
    );
  }, LOOK_MS);
  thread.once('message', resolve);
  thread.once('messageerror', unread);
  thread.once('error', unread);
  thread.once('exit', unread);
  return promise.finally(() => {
    clearTimeout(hang);
    clearInterval(look);
    return thread.terminate();
  });
}
