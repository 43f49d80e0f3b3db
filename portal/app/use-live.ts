import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveState } from '../ui/feedback/live-dot.tsx';
import { readEvents, type StreamEvent } from './event-stream.ts';
import { unlessLoggingOut } from './log-out.ts';
import { queryClient } from './query-client.ts';
import { eventIdSince } from './server-clock.ts';
import { getSession } from './session.ts';

type Live = {
  /** The stream's address, or undefined while there is nothing to follow. */
  path: string | undefined;
  onEvent: (event: StreamEvent) => void;
  /** Called when a stream opens that does not continue or begin whole, a minute after one that continues, after each reconnect, and every `pollMs` while disconnected. */
  onCatchUp: () => void;
  /** What the page has read, for a stream whose event ids are times: it continues from there, and nothing is read again when it opens. */
  continues?: QueryKey;
  /** The stream starts with the complete state, so opening it needs no catch-up. */
  beginsWhole?: boolean;
  pollMs?: number;
};

/** Follows an event stream with the session's header, resumes after the last event seen, and polls while it cannot. */
export function useLive({ path, onEvent, onCatchUp, continues, beginsWhole = false, pollMs = 15_000 }: Live): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const handlers = useRef({ onEvent, onCatchUp, continues });
  handlers.current = { onEvent, onCatchUp, continues };

  const isOnline = useIsOnline();

  useEffect(() => {
    if (!path) return;
    if (!isOnline) {
      setState('reconnecting');
      return;
    }
    const stop = new AbortController();
    void follow(
      path,
      stop.signal,
      { pollMs, beginsWhole },
      setState,
      (event) => handlers.current.onEvent(event),
      () => handlers.current.onCatchUp(),
      () => handlers.current.continues,
    );
    return () => stop.abort();
  }, [path, pollMs, beginsWhole, isOnline]);

  return state;
}

/** Whether the browser has a connection: an open stream notices much later that it has none. */
function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}

async function follow(
  path: string,
  signal: AbortSignal,
  { pollMs, beginsWhole }: { pollMs: number; beginsWhole: boolean },
  setState: (state: LiveState) => void,
  onEvent: (event: StreamEvent) => void,
  onCatchUp: () => void,
  continues: () => QueryKey | undefined,
): Promise<void> {
  let lastId: string | undefined;
  let failures = 0;
  while (!signal.aborted && getSession()) {
    try {
      await unlessLoggingOut();
      const queryKey = continues();
      if (queryKey && lastId === undefined && failures === 0) {
        lastId = eventIdSince(readAt(queryKey));
        if (lastId !== undefined) void wait(SETTLED_MS, signal).then(() => !signal.aborted && !document.hidden && onCatchUp());
      }
      const body = await open(path, lastId, signal);
      setState('live');
      if (failures > 0 || (lastId === undefined && !beginsWhole)) onCatchUp();
      failures = 0;
      for await (const event of readEvents(body)) {
        lastId = event.id ?? lastId;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      // Back off longer after a refusal than after a lost connection.
      failures += error instanceof Refused ? 4 : 1;
    }
    if (signal.aborted) return;
    setState('reconnecting');
    await wait(Math.min(1000 * 2 ** failures, pollMs), signal);
    if (failures > 0 && !signal.aborted && !document.hidden) onCatchUp();
  }
}

/** A stream repeats at most two hundred changes, of runs that began in the last hour: what that leaves out is read a minute later. */
const SETTLED_MS = 60_000;

/** When the oldest of the shown queries was read; those under way are read now. */
function readAt(queryKey: QueryKey): number {
  const shown = queryClient.getQueryCache().findAll({ queryKey, type: 'active' });
  return Math.min(Date.now(), ...shown.map(({ state }) => state.dataUpdatedAt || Date.now()));
}

class Refused extends Error {}

async function open(path: string, lastId: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(path, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${getSession()?.accessToken ?? ''}`,
      ...(lastId ? { 'last-event-id': lastId } : {}),
    },
    signal,
  });
  if (!response.ok || !response.body) throw new Refused();
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
