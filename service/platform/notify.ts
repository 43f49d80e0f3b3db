import { runStatement } from './db/statements.ts';
import pg from 'pg';
import type { z } from 'zod';
import { type DatabaseAddress, KEEP_ALIVE } from './db/host.ts';
import type { Database, Tx } from './db/tx.ts';
import type { Log } from './log.ts';
import { parseJson } from './parse-json.ts';

/** A kind of notice between processes. Payloads should be ids only: the server accepts at most 8000 bytes. */
export type Topic<P> = { channel: string; payload: z.ZodType<P> };

/** Declares a topic; `channel` is a plain lower-case name. */
export function defineTopic<P>(channel: string, payload: z.ZodType<P>): Topic<P> {
  return { channel, payload };
}

/** Sends a notice when the transaction commits. */
export async function announce<P>(tx: Tx, topic: Topic<P>, payload: P): Promise<void> {
  await runStatement(tx, { name: 'notify_announce', text: 'select pg_notify($1, $2)', values: [topic.channel, JSON.stringify(payload)] });
}

/** Sends notices outside any transaction, in their order and all in one statement. */
export async function sendNotices(db: Pick<Database, 'call'>, notices: readonly { channel: string; payload: string }[]): Promise<void> {
  await db.call({
    name: 'send_notices',
    // A commit with notices holds up all others with notices until it is on disk: these are worth no wait.
    text: `with quick as materialized (select set_config('synchronous_commit', 'off', true))
      select pg_notify(t.channel, t.payload) from quick, unnest($1::text[], $2::text[]) with ordinality as t(channel, payload, n) order by t.n`,
    values: [notices.map(({ channel }) => channel), notices.map(({ payload }) => payload)],
  });
}

export type Notices = {
  /**
   * Calls `listener` for every notice until the returned function is called, and `missed` whenever listening starts or resumes: earlier
   * notices were lost.
   */
  subscribe<P>(topic: Topic<P>, listener: (payload: P) => void, missed?: () => void): () => void;
  close(): Promise<void>;
};

/** The connection behind `Notices`. */
export type NoticeConnection = {
  /** Resolves when the server answers on the connection that listens. */
  ask(): Promise<unknown>;
  /** Ends the connection, as if the server had; another one follows. */
  reconnect(): void;
};

export type Waker = {
  /** Wakes the worker of this process, or else those of the other processes. */
  wake(): void;
  close(): void;
};

const GATHER_MS = 10;

/**
 * Wakes workers after commits of this process: directly when the worker is in this process, otherwise by one notice to the other processes
 * for all commits of some milliseconds.
 */
export function createWaker(deps: { db: Database; log: Log }, topic: Topic<object>, here: () => (() => void) | undefined): Waker {
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    deps.db.call({ name: 'wake', text: 'select pg_notify($1, $2)', values: [topic.channel, '{}'] }).catch((error: unknown) => {
      deps.log.warn({ err: error, topic: topic.channel }, 'wake-up notice not sent');
    });
  };
  const wake = (): void => {
    const local = here();
    if (local) local();
    else timer ??= setTimeout(send, GATHER_MS);
  };
  const stop = deps.db.onCommitted(topic.channel, wake);
  return {
    wake,
    close() {
      stop();
      clearTimeout(timer);
    },
  };
}

const RECONNECT_MS_MAX = 5_000;

/** `receive` returns whether it could read the notice. */
type Listener = { receive: (notice: unknown) => boolean; missed: () => void };

/**
 * Opens one LISTEN connection for the process, which reconnects by itself. Notices sent while it is disconnected are lost, so subscribers treat
 * a notice as a hint to read again, and `missed` is called after each reconnect.
 */
export function openNotices(address: DatabaseAddress, log: Log): Notices & NoticeConnection {
  const listeners = new Map<string, Set<Listener>>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  // One at a time: this connection accepts no second statement while it is busy.
  let listening: Promise<unknown> = Promise.resolve();
  const listen = (channel: string): Promise<unknown> => {
    const start = async (): Promise<void> => {
      if (!client) return;
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      for (const { missed } of listeners.get(channel) ?? []) missed();
    };
    // A failed LISTEN is repeated on the next connection.
    return (listening = listening.then(start).catch(() => undefined));
  };
  const connect = async (waitMs: number): Promise<void> => {
    if (closed) return;
    const fresh = new pg.Client({ ...address, ...KEEP_ALIVE, application_name: 'portal notices' });
    const again = (): void => {
      if (closed || client !== fresh) return;
      client = undefined;
      retry = setTimeout(() => void connect(Math.min(waitMs * 2, RECONNECT_MS_MAX)), waitMs);
    };
    client = fresh;
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ channel, payload }) => {
      const notice = parseJson(payload ?? '');
      let isUnreadable = false;
      for (const { receive } of listeners.get(channel) ?? []) if (!receive(notice)) isUnreadable = true;
      if (isUnreadable) log.warn({ channel }, 'notice with an invalid payload ignored');
    });
    try {
      await fresh.connect();
      waitMs = 100;
      await Promise.all([...listeners.keys()].map(listen));
    } catch (error) {
      log.warn({ err: error }, 'notice connection failed, retrying');
      again();
    }
  };
  void connect(100);

  return {
    subscribe(topic, listener, missed = () => undefined) {
      const receive = (notice: unknown): boolean => {
        const parsed = topic.payload.safeParse(notice);
        if (parsed.success) listener(parsed.data);
        return parsed.success;
      };
      const handle: Listener = { receive, missed };
      const present = listeners.get(topic.channel);
      if (present) present.add(handle);
      else {
        listeners.set(topic.channel, new Set([handle]));
        void listen(topic.channel);
      }
      return () => void listeners.get(topic.channel)?.delete(handle);
    },
    // The activity of the connection goes on to show that it listens.
    ask() {
      const asked = listening.then(() => client?.query('listen asked'));
      listening = asked.catch(() => undefined);
      return asked;
    },
    reconnect: () => void client?.connection.stream.destroy(),
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
