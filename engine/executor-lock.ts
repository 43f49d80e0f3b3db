import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import type { Log } from './log.ts';
import { messageOf } from './log.ts';

/** One executor per database; Postgres itself is the lease: the lock dies with the connection, so with the process. */
const LOCK_KEY = 7_305_102;
const RETRY_MS = 100;
const CONNECT_MS = 5_000;

export type ExecutorLock = {
  /** Ends its connection, as if the server had: the lock is lost, and tried for again. */
  reconnect: () => void;
  close: () => Promise<void>;
};

/**
 * Keeps trying to be the one process that executes runs. `onHeld` is called each time the lock is won, `onLost` when
 * its connection ends (the database went away). A killed predecessor's lock is free as soon as its socket closes.
 */
export function holdExecutorLock(config: ClientConfig, log: Log, onHeld: () => Promise<void>, onLost: () => void): ExecutorLock {
  let closed = false;
  let current: Client | undefined;
  let wake: (() => void) | undefined;

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const holdOnce = async (): Promise<void> => {
    const client = new Client({ ...config, keepAlive: true, connectionTimeoutMillis: CONNECT_MS, application_name: 'engine-executor' });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    client.on('error', () => undefined);
    current = client;
    // A client that is ended while it connects never says how that went.
    await Promise.race([client.connect(), ended]);
    let held = false;
    try {
      while (!closed && !held) {
        const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK_KEY]);
        held = rows[0]?.held === true;
        if (!held) await pause();
      }
      if (closed) return;
      await onHeld();
      await ended;
    } finally {
      if (held) onLost();
      await client.end().catch(() => undefined);
    }
  };

  const loop = (async (): Promise<void> => {
    while (!closed) {
      await holdOnce().catch((error: unknown) => {
        if (!closed) log('warn', 'executor.lock_failed', { message: messageOf(error) });
      });
      if (!closed) await pause();
    }
  })();

  return {
    reconnect: () => void current?.connection.stream.destroy(),
    close: async () => {
      closed = true;
      wake?.();
      await current?.end().catch(() => undefined);
      await loop;
    },
  };
}
