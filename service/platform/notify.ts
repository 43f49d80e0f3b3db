import { sql } from 'kysely';
import pg from 'pg';
import type { z } from 'zod';
import type { DatabaseAddress } from './db/host.ts';
import type { Tx } from './db/tx.ts';
import type { Log } from './log.ts';

/** A named kind of news between processes. Keep payloads to ids: the server carries at most 8000 bytes. */
export type Topic<P> = { channel: string; payload: z.ZodType<P> };

/** Declares a topic; `channel` is a plain lower-case name. */
export function defineTopic<P>(channel: string, payload: z.ZodType<P>): Topic<P> {
  return { channel, payload };
}

/** Sends news when the transaction commits, and never when it does not. */
export async function announce<P>(tx: Tx, topic: Topic<P>, payload: P): Promise<void> {
  await sql`select pg_notify(${topic.channel}, ${JSON.stringify(payload)})`.execute(tx);
}

export type Notices = {
  /** Calls `listener` for every piece of news until the returned function is called. */
  subscribe<P>(topic: Topic<P>, listener: (payload: P) => void): () => void;
  close(): Promise<void>;
};

const RECONNECT_MS_MAX = 5_000;

/**
 * One LISTEN connection for the whole process; it reconnects by itself. News sent while it was away is lost, so a
 * subscriber treats news as a hint to look again, never as the only record.
 */
export function openNotices(address: DatabaseAddress, log: Log): Notices {
  const listeners = new Map<string, Set<(text: string) => void>>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const listen = async (channel: string): Promise<void> => {
    await client?.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
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
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
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
    subscribe(topic, listener) {
      const handle = (text: string): void => {
        const parsed = topic.payload.safeParse(parseJson(text));
        if (parsed.success) listener(parsed.data);
        else log.warn({ channel: topic.channel }, 'notice not understood');
      };
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
