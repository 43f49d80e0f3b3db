import { setTimeout as delay, setImmediate as pollDone } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClientConfig, Pool, PoolClient } from 'pg';
import type { Log } from './log.ts';
import { messageOf } from './log.ts';

const ASK_MS = 10_000;
const ANSWER_MS = 10_000;
const CONNECT_MS = 5_000;

export type ConnectionWatch = { close: () => Promise<void> };

/**
 * Notices connections that no one has closed and no one answers any more: those to a server that lost its power, or that a network has forgotten. The system
 * repeats their bytes for a quarter of an hour, and each statement waits as long. Asks on a connection of its own; when that is not answered although a new
 * one is, `onLost` ends all the others. While nothing answers they are kept: a network that comes back goes on with them.
 */
export function watchConnections(
  config: ClientConfig,
  log: Log,
  onLost: () => void,
  { askMs = ASK_MS, answerMs = ANSWER_MS }: { askMs?: number; answerMs?: number } = {},
): ConnectionWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let held: Client | undefined;

  const open = async (): Promise<Client> => {
    const client = new Client({ ...config, connectionTimeoutMillis: CONNECT_MS, application_name: 'engine-watch' });
    client.on('error', () => undefined);
    // Its time limit lasts until the server has answered.
    await client.connect();
    return client;
  };
  const look = async (): Promise<void> => {
    held ??= await open();
    const client = held;
    const state = { isAnswered: false };
    const asked = client.query('select 1').then(
      () => (state.isAnswered = true),
      () => {
        // The server has ended it.
        state.isAnswered = true;
        held = undefined;
      },
    );
    await Promise.race([asked, delay(answerMs, undefined, { signal })]);
    while (!state.isAnswered && !signal.aborted) {
      const fresh = await open().catch(() => undefined);
      // A process that was paused reads what has arrived meanwhile.
      await pollDone();
      if (fresh === undefined) await Promise.race([asked, delay(askMs, undefined, { signal })]);
      else if (state.isAnswered || signal.aborted) await fresh.end();
      else {
        log('error', 'database.connections_lost', {});
        client.connection.stream.destroy();
        await asked;
        held = fresh;
        onLost();
      }
    }
  };
  const loop = (async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await look();
        await delay(askMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        log('warn', 'database.watch_failed', { message: messageOf(error) });
        await delay(askMs, undefined, { signal }).catch(() => undefined);
      }
    }
  })();
  return {
    async close() {
      stopping.abort();
      await loop;
      held?.connection.stream.destroy();
    },
  };
}

/** Returns a function that ends every connection of the pool, also those in use. Call it before the first one opens. */
export function trackConnections(pool: Pool): () => void {
  const open = new Set<PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return () => {
    for (const client of open) client.connection.stream.destroy();
  };
}
