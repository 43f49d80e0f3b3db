import { Worker } from 'node:worker_threads';
import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { refuseInsideTransaction, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { threadEnv } from '#platform/compute/thread-env.ts';
import { createFairTurns, TurnRefusal } from '#platform/fair-turns.ts';
import type { JsonValue } from './tenant-sql-values.ts';

export type { JsonValue } from './tenant-sql-values.ts';

type Address = CredentialData['postgres'];

/** Why nothing was read. `message` is for the customer: the database's own message for a query, never a host, a user or a password. */
export type SqlProblem = {
  ok: false;
  reason: 'private_address' | 'unreachable' | 'certificate' | 'refused' | 'timeout' | 'query';
  message: string;
};
export type SqlRows = { ok: true; columns: string[]; rows: { [column: string]: JsonValue }[]; truncated: boolean };

/** SQL databases of customers. Every use resolves and checks the address again and connects to the checked one. */
export type TenantSql = {
  /** Checks an address without connecting. */
  checkAddress(host: string, port: number): Promise<{ ok: true } | SqlProblem>;
  /**
   * One SELECT in a read-only transaction; at most `rowsMax` rows within `timeoutMs`. Never throws for errors of the database. Reads take
   * turns by partner.
   */
  query(
    partnerId: string,
    address: Address,
    text: string,
    params: readonly JsonValue[],
    bounds: { rowsMax: number; timeoutMs: number },
  ): Promise<SqlRows | SqlProblem>;
};

/** Input of the reading thread. */
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
/** Grace after a thread's own deadline before it counts as hanging. */
const HANG_MS = 4_000;
const HEAP_MB_MAX = 192;
/** Most threads at once, in total (a partner alone holds half) and of one partner at one address. */
const AT_ONCE = { slots: 16, perPart: 4 };
/** A partner alone waits with half of it. */
const WAITING_MAX = 128;
/** The calling step times out after 30 seconds, so a read that waited this long is useless. */
const WAIT_MS = 10_000;
/** CPU time after which a thread is stuck; a full read takes a fraction. CPU time, because threads wait on a busy machine. */
const CPU_MS_MAX = 3_000;
const CPU_POLL_MS = 500;
const CROWDED = 'Too many database reads are waiting. Try again later.';
const THREAD = new URL('./tenant-sql-worker.ts', import.meta.url);

/** `resolveHost` is the outbound guard: it refuses a name when any of its addresses is not public. */
export function createTenantSql(
  guard: Pick<SafeFetch, 'resolveHost'>,
  { waitMs = WAIT_MS, waitingMax = WAITING_MAX, connectMs = CONNECT_MS }: { waitMs?: number; waitingMax?: number; connectMs?: number } = {},
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
  const inTurn = createFairTurns({ ...AT_ONCE, waitingMax, waitMs });
  return {
    async checkAddress(host, port) {
      const found = await resolve(host, port);
      return typeof found === 'string' ? { ok: true } : found;
    },
    async query(partnerId, address, text, params, bounds) {
      refuseInsideTransaction();
      const part = `${address.host}:${address.port}`;
      try {
        // The name is resolved in the turn too: its servers may be as slow as the database.
        return await inTurn({ key: partnerId, part }, async () => {
          const found = await resolve(address.host, address.port);
          return typeof found === 'string' ? await readInThread({ address, ip: found, text, params, bounds, connectMs }) : found;
        });
      } catch (error) {
        if (!(error instanceof TurnRefusal)) throw error;
        return { ok: false, reason: 'unreachable', message: CROWDED };
      }
    },
  };
}

/**
 * Reads in a thread of its own. The server is not trusted, and the driver is not hardened: one malformed message throws outside any handler,
 * another is read forever. Either ends only the thread.
 */
function readInThread(order: SqlOrder): Promise<SqlRows | SqlProblem> {
  const { promise, resolve } = Promise.withResolvers<SqlRows | SqlProblem>();
  const unread = (): void => resolve({ ok: false, reason: 'unreachable', message: 'The response of the database could not be read.' });
  // Without the rest of the environment, of which the driver would read some settings.
  const thread = new Worker(THREAD, { workerData: order, env: threadEnv(), resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } });
  const hang = setTimeout(unread, order.connectMs + order.bounds.timeoutMs + HANG_MS);
  const poll = setInterval(() => {
    thread.cpuUsage().then(
      ({ user, system }) => {
        if ((user + system) / 1_000 > CPU_MS_MAX) unread();
      },
      // It has exited.
      () => undefined,
    );
  }, CPU_POLL_MS);
  thread.once('message', resolve);
  thread.once('messageerror', unread);
  thread.once('error', unread);
  thread.once('exit', unread);
  return promise.finally(() => {
    clearTimeout(hang);
    clearInterval(poll);
    return thread.terminate();
  });
}
