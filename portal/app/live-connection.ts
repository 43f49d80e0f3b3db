import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { QueryKey } from '@tanstack/react-query';
import { readEvents, type StreamEvent } from './event-stream.ts';
import { unlessLoggingOut } from './log-out.ts';
import { queryClient } from './query-client.ts';
import { eventIdSince } from './server-clock.ts';
import { getSession } from './session.ts';

/**
 * Every event stream of this tab goes over one connection, and none while the tab is hidden: over HTTP/1.1 browsers open six to a host, of all
 * tabs together, and further requests wait for ever. See docs/adr/0052-together.md.
 */

type Timer = ReturnType<typeof setTimeout>;

export type Continues = QueryKey | 'document';

/** A part of a page that follows a stream. */
export type Follower = {
  path: string;
  onEvent: (event: StreamEvent) => void;
  onCatchUp: () => void;
  onState: (state: 'live' | 'reconnecting') => void;
  /** Returns what the page has read, for a stream whose event ids are times: the key of queries, or everything since the document began. */
  continues: () => Continues | undefined;
  beginsWhole: boolean;
  pollMs: number;
};

/** `readAt`: up to when the page has read what the stream would send. */
type Followed = Follower & { lastId: string | undefined; isLost: boolean; readAt: number | undefined; retry?: Timer; settled?: Timer };

/** A page starts its streams in several steps. The delay lets them share one connection. */
const SETTLE_MS = 200;
/** Delay after a refusal; a lost connection is reopened sooner. */
const REFUSED_MS = 16_000;
const ENDED_MS = 1_000;
/** A change that took long to commit may lie before the place from which a stream is resumed. The page reads once more after this delay. */
const SETTLED_MS = 60_000;
/** After a tab is hidden longer than this, more may have changed than the streams replay. */
const AWAY_MS = 60_000;

const followed = new Set<Followed>();
let connection: AbortController | undefined;
let opening: Timer | undefined;
let failures = 0;
let hiddenAt: number | undefined;
let isWatching = false;

/** Follows a stream, resumes it after the last event seen, and polls while it cannot. Returns a function that stops it. */
export function follow(follower: Follower): () => void {
  const one: Followed = { ...follower, lastId: undefined, isLost: false, readAt: undefined };
  watch();
  followed.add(one);
  open();
  return () => {
    clearTimeout(one.retry);
    clearTimeout(one.settled);
    if (followed.delete(one)) open();
  };
}

/** Opens the connection for those that follow then, in place of the present one. */
function open(delayMs = SETTLE_MS): void {
  clearTimeout(opening);
  opening = setTimeout(() => {
    connection?.abort();
    if (followed.size === 0 || document.hidden || !navigator.onLine) return;
    connection = new AbortController();
    void keepOpen(connection.signal);
  }, delayMs);
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      hiddenAt = Date.now();
      close();
    } else {
      if (hiddenAt !== undefined && Date.now() - hiddenAt > AWAY_MS) for (const one of followed) one.isLost = true;
      open(0);
    }
  });
  addEventListener('online', () => open(0));
  addEventListener('offline', () => {
    close();
    for (const one of followed) lose(one);
  });
}

function close(): void {
  clearTimeout(opening);
  connection?.abort();
}

async function keepOpen(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && followed.size > 0 && getSession()) {
    const streams = [...followed].slice(0, LIMITS.streamsTogetherMax);
    let waitMs = 0;
    try {
      await unlessLoggingOut();
      for (const one of streams) resume(one);
      const body = await request(streams, signal);
      failures = 0;
      for await (const event of readEvents(body)) deliver(streams, event, signal);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      if (error instanceof Refused) waitMs = error.waitMs;
    }
    if (signal.aborted) return;
    for (const one of streams) lose(one);
    await wait(Math.max(waitMs, Math.min(1000 * 2 ** failures, ...streams.map(({ pollMs }) => pollMs))), signal);
    if (failures > 0 && !signal.aborted) for (const one of streams) if (followed.has(one)) one.onCatchUp();
  }
}

/** Sets the position of a stream that has sent nothing yet: the time at which the page read its data. */
function resume(one: Followed): void {
  const read = one.continues();
  if (!read || one.lastId !== undefined || one.isLost) return;
  const isFirst = one.readAt === undefined;
  one.lastId = eventIdSince(one.readAt ?? (read === 'document' ? performance.timeOrigin : readAt(read)));
  if (!isFirst || one.lastId === undefined || one.beginsWhole) return;
  one.settled = setTimeout(() => !document.hidden && one.onCatchUp(), SETTLED_MS);
}

function begin(one: Followed): void {
  one.readAt = Date.now();
  one.onState('live');
  const isWhole = one.beginsWhole && !one.continues();
  if (one.isLost || (one.lastId === undefined && !isWhole)) one.onCatchUp();
  one.isLost = false;
}

function lose(one: Followed): void {
  one.isLost = true;
  one.onState('reconnecting');
}

/** The id of an event begins with the index of its stream. */
function deliver(streams: readonly Followed[], event: StreamEvent, signal: AbortSignal): void {
  const [, at = '', id = ''] = /^(\d+):(.*)$/s.exec(event.id ?? '') ?? [];
  const one = streams[Number(at)];
  if (at === '' || !one || signal.aborted || !followed.has(one)) return;
  if (id === '') return event.event === 'opened' ? begin(one) : pause(one, event.event === 'refused' ? REFUSED_MS : ENDED_MS);
  one.lastId = id;
  one.onEvent({ ...event, id });
}

/** Leaves out a stream that the service refused or ended, and tries it again later; what it would have sent is read then. */
function pause(one: Followed, pauseMs: number): void {
  followed.delete(one);
  lose(one);
  const again = (): void => {
    followed.add(one);
    if (pauseMs === REFUSED_MS && !document.hidden) one.onCatchUp();
    open(0);
  };
  one.retry = setTimeout(again, Math.min(pauseMs, one.pollMs));
}

/** Returns the time at which the oldest shown query was read; a query in flight counts as read now. */
function readAt(queryKey: QueryKey): number {
  const shown = queryClient.getQueryCache().findAll({ queryKey, type: 'active' });
  return Math.min(Date.now(), ...shown.map(({ state }) => state.dataUpdatedAt || Date.now()));
}

class Refused extends Error {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super('The streams were refused.');
    this.waitMs = waitMs;
  }
}

async function request(streams: readonly Followed[], signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch('/streams', {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${getSession()?.accessToken ?? ''}`,
    },
    body: JSON.stringify({ follow: streams.map(({ path, lastId }) => ({ path, lastEventId: lastId })) }),
    signal,
  });
  if (!response.ok || !response.body) throw new Refused(Math.max(REFUSED_MS, Number(response.headers.get('retry-after') ?? 0) * 1000));
  return response.body;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
