import { setTimeout as delay, setImmediate as pollDone } from 'node:timers/promises';
import type pg from 'pg';
import { createRepeater } from './jobs/repeater.ts';
import type { Log } from './log.ts';

const ASK_MS = 10_000;
const ANSWER_MS = 10_000;

export type ConnectionWatch = { start(): void; stop(): Promise<void> };

/**
 * Notices connections that no one has closed and no one answers any more: those to a server that lost its power, or that a network has forgotten. The
 * system repeats what was sent on them for a quarter of an hour, and as long each statement on one waits. `ask` sends a statement on a connection that
 * stays open; when it is not answered although `askAnew`, on a new connection, is, `onLost` ends all that were open. While nothing answers, they are
 * kept: a network that comes back goes on with them.
 */
export function createConnectionWatch(deps: {
  ask: () => Promise<unknown>;
  askAnew: () => Promise<unknown>;
  onLost: () => void;
  log: Log;
  askMs?: number;
  answerMs?: number;
}): ConnectionWatch {
  const { ask, askAnew, onLost, log, askMs = ASK_MS, answerMs = ANSWER_MS } = deps;
  const stopping = new AbortController();
  let unanswered: Promise<void> | undefined;
  const rounds = createRepeater({
    everyMs: askMs,
    round: async () => {
      const answered = (): void => void (unanswered = undefined);
      // An error is an answer, too: that connection is being replaced.
      unanswered ??= ask().then(answered, answered);
      await Promise.race([unanswered, delay(answerMs, undefined, { signal: stopping.signal })]);
      if (unanswered === undefined) return null;
      await askAnew();
      // A process that was paused reads what has arrived meanwhile.
      await pollDone();
      if (unanswered === undefined || stopping.signal.aborted) return null;
      log.error({ waitMs: answerMs }, 'the database answers on new connections only, ending the others');
      onLost();
      return null;
    },
    onError: (error) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'database connection does not answer');
    },
  });
  return {
    start: () => rounds.start(),
    async stop() {
      stopping.abort();
      await rounds.stop();
    },
  };
}

/** Returns a function that ends every connection of the pool, also those in use, whose statements fail as those of a lost connection. Call it before the first one opens. */
export function trackConnections(pool: pg.Pool): () => void {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return () => {
    for (const client of open) client.connection.stream.destroy();
  };
}
