import { query } from './db/statements.ts';
import pg from 'pg';
import type { z } from 'zod';
import type { DatabaseAddress } from './db/host.ts';
import type { Database, Tx } from './db/tx.ts';
import type { Log } from './log.ts';

/** A named kind of news between processes. Keep payloads to ids: the server carries at most 8000 bytes. */
export type Topic<P> = { channel: string; payload: z.ZodType<P> };

/** Declares a topic; `channel` is a plain lower-case name. */
export function defineTopic<P>(channel: string, payload: z.ZodType<P>): Topic<P> {
  return { channel, payload };
}

/** Sends news when the transaction commits, and never when it does not. */
export async function announce<P>(tx: Tx, topic: Topic<P>, payload: P): Promise<void> {
  await query<'notify_announce'>`select pg_notify(${topic.channel}, ${JSON.stringify(payload)})`.execute(tx);
}

export type Notices = {
  /**
   * Calls `listener` for every piece of news until the returned function is called, and `missed` whenever listening begins or begins again:
   * what was announced before that did not arrive.
   */
  subscribe<P>(topic: Topic<P>, listener: (payload: P) => void, missed?: () => void): () => void;
  close(): Promise<void>;
};

export type Waker = {
  /** There may be work: wakes whoever does it in this process, or else the other processes. */
  wake(): void;
  close(): void;
};

const GATHER_MS = 10;

/**
 * Carries "there is work" from the commits of this process to whoever does that work: directly when it is done here, and otherwise
 * by a notice to the other processes, sent after the commit and for all commits of a moment together.
 */
export function createWaker(deps: { db: Database; log: Log }, topic: Topic<object>, here: () => (() => void) | undefined): Waker {
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    deps.db.call({ name: 'wake', text: 'select pg_notify($1, $2)', values: [topic.channel, '{}'] }).catch((error: unknown) => {
      deps.log.warn({ err: error, topic: topic.channel }, 'waiting work was not announced');
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

type Listener = { news: (text: string) => void; missed: () => void };

/**
 * One LISTEN connection for the whole process; it reconnects by itself. News sent while it was away is lost, so a
 * subscriber treats news as a hint to look again, never as the only record, and is told when there may have been some.
 */
export function openNotices(address: DatabaseAddress, log: Log): Notices {
  const listeners = new Map<string, Set<Listener>>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  // One after the other: this connection takes no second statement while it is busy with the first.
  let listening: Promise<unknown> = Promise.resolve();
  const listen = (channel: string): Promise<unknown> => {
    const begin = async (): Promise<void> => {
      if (!client) return;
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      for (const { missed } of listeners.get(channel) ?? []) missed();
    };
    // What could not begin begins with the next connection.
    return (listening = listening.then(begin).catch(() => undefined));
  };
  const connect = async (waitMs: number): Promise<void> => {
    if (closed) return;
    const fresh = new pg.Client({ ...address, application_name: 'portal notices', keepAlive: true });
    const again = (): void => {
      if (closed || client !== fresh) return;
      client = undefined;
      retry = setTimeout(() => void connect(Math.min(waitMs * 2, RECONNECT_MS_MAX)), waitMs);
    };
    client = fresh;
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ channel, payload }) => {
      for (const { news } of listeners.get(channel) ?? []) news(payload ?? '');
    });
    try {
      await fresh.connect();
      waitMs = 100;
      await Promise.all([...listeners.keys()].map(listen));
    } catch (error) {
      log.warn({ err: error }, 'notices not connected');
      again();
    }
  };
  void connect(100);

  return {
    subscribe(topic, listener, missed = () => undefined) {
      const news = (text: string): void => {
        const parsed = topic.payload.safeParse(parseJson(text));
        if (parsed.success) listener(parsed.data);
        else log.warn({ channel: topic.channel }, 'notice not understood');
      };
      const handle: Listener = { news, missed };
      const present = listeners.get(topic.channel);
      if (present) present.add(handle);
      else {
        listeners.set(topic.channel, new Set([handle]));
        void listen(topic.channel);
      }
      return () => void listeners.get(topic.channel)?.delete(handle);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
