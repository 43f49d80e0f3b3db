import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { Place } from '../db/place.ts';
import { hold } from '../held.ts';
import type { Log } from '../log.ts';
import { AppError, isRefusal } from '../refuse.ts';
import type { EventSource, ServerEvent } from './sse.ts';

/** Refusals of an ended session, which ends the stream. */
const ENDED: readonly ErrorCode[] = ['unauthenticated', 'session_idle', 'user_disabled', 'account_suspended'];
/** A commit may become visible shortly after its time: a resumed stream reads from a little earlier, and repeats are harmless. */
export const OVERLAP_MS = 2_000;
const ROWS_MAX = 200;
/** Pages of missed changes that one connection sends. Its reader resumes after the last of them. */
const PAGES_MAX = 50;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Delay before a failed read is retried: no further change may follow that would trigger one. */
const RETRY_MS = 5_000;

export type Follow = {
  log: Log;
  /** Name of the stream, for the log. */
  what: string;
  /** Reads the changes and sends them. */
  read: () => Promise<void>;
  /** Calls the listener for each change that concerns the reader, and when changes may have been missed; returns a function that stops it. */
  subscribe: (changed: () => void) => () => void;
  /** Refusals besides those of an ended session that end the stream. */
  endsWith?: readonly ErrorCode[];
  /** Five seconds when left out. */
  retryMs?: number | undefined;
};

export type Following = { read: () => Promise<void>; stop: () => void };

/**
 * Reads after each change, one read at a time; changes in the meantime are read together afterwards. A failed read is logged and retried with
 * the next change or after `retryMs`. A refusal of an ended session stops it.
 */
export function followChanges({ log, what, read, subscribe, endsWith = [], retryMs = RETRY_MS }: Follow): Following {
  let busy = false;
  let again = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  const readOnce = async (): Promise<void> => {
    clearTimeout(retry);
    try {
      await read();
    } catch (error) {
      if ([...ENDED, ...endsWith].some((code) => isRefusal(error, code))) return stop();
      log.warn({ err: error }, `reading changes of ${what} failed`);
      // A refusal would be repeated.
      if (!stopped && !(error instanceof AppError)) retry = setTimeout(() => void readAll(), retryMs);
    }
  };
  const readAll = async (): Promise<void> => {
    again = true;
    if (busy) return;
    busy = true;
    while (again && !stopped) {
      again = false;
      await readOnce();
    }
    busy = false;
  };
  const unsubscribe = subscribe(() => void readAll());
  const follower = hold('stream_followers');
  const stop = (): void => {
    stopped = true;
    follower[Symbol.dispose]();
    clearTimeout(retry);
    unsubscribe();
  };
  return { read: readAll, stop };
}

/** Events of missed changes, oldest first. `next` is the place of the last one while more may follow, else null. */
export type Missed = { events: ServerEvent[]; next: Place | null };

export type RowsSource = {
  log: Log;
  what: string;
  /**
   * Calls the first listener with the ids of changed rows that may concern the reader, the second when changes may have been missed;
   * returns a function that stops it.
   */
  subscribe: (changed: (ids: readonly string[]) => void, missed: () => void) => () => void;
  /** Returns those of the rows that the reader may see, as events. */
  read: (ids: string[]) => Promise<ServerEvent[]>;
  /** Returns the first `max` changes after a place. */
  readAfter: (place: Place, max: number) => Promise<Missed>;
  retryMs?: number | undefined;
};

/**
 * Streams rows as they change, each with an event id of `timeId`: first those missed since `Last-Event-ID`, even in another process, then
 * new changes. No event carries the time of its read before all missed ones were sent. A stream that missed more than one connection sends ends
 * after these, so its reader resumes.
 */
export function streamRows({ log, what, subscribe, read, readAfter, retryMs }: RowsSource): EventSource {
  return {
    async open(send, lastEventId, end) {
      const pending = new Set<string>();
      const since = timeOfId(lastEventId);
      /** Start of the interval in which changes may have been missed. */
      let gap: Date | null = null;
      let complete = timeId(since ?? new Date());
      let hasCaughtUp = since === null;
      const emit = (events: readonly ServerEvent[], isAll: boolean): void => {
        for (const event of hasCaughtUp && isAll ? markLast(events, complete) : events.map((one) => ({ ...one, id: complete }))) {
          complete = event.id;
          send(event);
        }
      };
      /** Sends what changed from a time on. Returns whether that was all. */
      const catchUp = async (from: Date): Promise<boolean> => {
        let after: Place = { time: new Date(from.getTime() - OVERLAP_MS), id: FIRST_ID };
        for (let page = 0; page < PAGES_MAX; page++) {
          const { events, next } = await readAfter(after, ROWS_MAX);
          if (next === null) {
            hasCaughtUp = true;
            emit(events, true);
            return true;
          }
          const until = timeId(new Date(Math.max(next.time.getTime(), Number(complete))));
          for (const event of markLast(events, complete)) send(event === events.at(-1) ? { ...event, id: until } : event);
          complete = until;
          after = next;
        }
        end?.();
        return false;
      };
      const live = followChanges({
        log,
        what,
        retryMs,
        subscribe: (changed) =>
          subscribe(
            (ids) => {
              for (const id of ids) pending.add(id);
              if (ids.length > 0) changed();
            },
            () => {
              gap ??= timeOfId(complete);
              changed();
            },
          ),
        read: async () => {
          if (gap) {
            const from: Date = gap;
            gap = null;
            const isAll = await catchUp(from).catch((error: unknown) => {
              gap ??= from;
              throw error;
            });
            if (!isAll) return;
          }
          while (pending.size > 0) {
            const isAll = pending.size <= ROWS_MAX;
            const ids = [...pending].slice(0, ROWS_MAX);
            for (const id of ids) pending.delete(id);
            const events = await read(ids).catch((error: unknown) => {
              // Notified once only: the next read includes them.
              for (const id of ids) pending.add(id);
              throw error;
            });
            emit(events, isAll);
          }
        },
      });
      if (since) {
        await catchUp(since).catch((error: unknown) => {
          // The caller gets no function to stop a stream that failed to open.
          live.stop();
          throw error;
        });
      }
      return live.stop;
    },
  };
}

/**
 * Gives only the last event of a read the time of that read; those before it carry the id up to which the stream was complete. A reader
 * disconnected between them resumes there.
 */
export function markLast(events: readonly ServerEvent[], complete: string): ServerEvent[] {
  return events.map((event, n) => (n === events.length - 1 ? event : { ...event, id: complete }));
}

/** Returns the place from which a reader of changes goes on; null when a statement returned fewer rows than it might have. */
export function nextPlace<Row>(rows: readonly Row[], max: number, placeOf: (row: Row) => Place): Place | null {
  const last = rows.at(-1);
  return last !== undefined && rows.length >= max ? placeOf(last) : null;
}

/** Returns the event id of a stream that is complete up to a time. */
export function timeId(readAt: Date): string {
  return String(readAt.getTime());
}

/** Returns the time of an id of `timeId`; null without one and for any other text. */
export function timeOfId(id: string | null): Date | null {
  return id !== null && /^\d{10,15}$/.test(id) ? new Date(Number(id)) : null;
}
