import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { Log } from '../log.ts';
import { AppError, isRefusal } from '../refuse.ts';
import type { EventSource, ServerEvent } from './sse.ts';

/** A session that has ended sees nothing more. */
const ENDED: readonly ErrorCode[] = ['unauthenticated', 'user_disabled', 'account_suspended'];
/** A commit may become visible a moment after its time: a resumed stream looks back a little further, and repeats are harmless. */
export const OVERLAP_MS = 2_000;
const ROWS_MAX = 200;
/** How soon a look that failed is made again: what it was to tell may have been the last change. */
const AGAIN_MS = 5_000;

export type Follow = {
  log: Log;
  /** What is streamed, for the log: `runs`. */
  what: string;
  /** Reads what there is to tell and sends it. */
  look: () => Promise<void>;
  /** Calls the listener it is given for each change that concerns the reader, and when there may have been some; answers how to stop. */
  subscribe: (changed: () => void) => () => void;
  /** Refusals besides an ended session after which there is nothing more to see. */
  endsWith?: readonly ErrorCode[];
  /** Left out: five seconds. */
  againMs?: number | undefined;
};

export type Following = { look: () => Promise<void>; stop: () => void };

/**
 * Looks at every change, one look at a time: what changes meanwhile is looked at together afterwards. A look that fails is
 * logged and made again with the next change, or in a while when there is none; one that is refused because the session has ended was the last.
 */
export function followChanges({ log, what, look, subscribe, endsWith = [], againMs = AGAIN_MS }: Follow): Following {
  let busy = false;
  let again = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  const lookOnce = async (): Promise<void> => {
    clearTimeout(retry);
    try {
      await look();
    } catch (error) {
      if ([...ENDED, ...endsWith].some((code) => isRefusal(error, code))) return stop();
      log.warn({ err: error }, `changes of ${what} were not streamed`);
      // A refusal would be the same again.
      if (!stopped && !(error instanceof AppError)) retry = setTimeout(() => void lookAll(), againMs);
    }
  };
  const lookAll = async (): Promise<void> => {
    again = true;
    if (busy) return;
    busy = true;
    while (again && !stopped) {
      again = false;
      await lookOnce();
    }
    busy = false;
  };
  const unsubscribe = subscribe(() => void lookAll());
  const stop = (): void => {
    stopped = true;
    clearTimeout(retry);
    unsubscribe();
  };
  return { look: lookAll, stop };
}

export type RowsSource = {
  log: Log;
  what: string;
  /**
   * Calls the first listener with the ids of changed rows that may concern the reader, the second when some may not have been told;
   * answers how to stop.
   */
  subscribe: (changed: (ids: readonly string[]) => void, missed: () => void) => () => void;
  /** Those of the rows that the reader may see, as events. */
  read: (ids: string[]) => Promise<ServerEvent[]>;
  /** What changed since then, at most `max` events, the oldest first. */
  readSince: (since: Date, max: number) => Promise<ServerEvent[]>;
  againMs?: number | undefined;
};

/**
 * Rows as they change, each with an event id made by `timeId`: what was missed since `Last-Event-ID` first, even in another
 * process, then news as they come. Nothing carries the time of its look before all that was missed is told.
 */
export function streamRows({ log, what, subscribe, read, readSince, againMs }: RowsSource): EventSource {
  const readAfter = (time: Date): Promise<ServerEvent[]> => readSince(new Date(time.getTime() - OVERLAP_MS), ROWS_MAX);
  return {
    async open(send, lastEventId) {
      const pending = new Set<string>();
      const since = timeOfId(lastEventId);
      /** From when on changes may not have been told. */
      let gap: Date | null = null;
      let complete = timeId(since ?? new Date());
      let hasCaughtUp = since === null;
      const tell = (events: readonly ServerEvent[], isAll: boolean): void => {
        for (const event of hasCaughtUp && isAll ? markLast(events, complete) : events.map((one) => ({ ...one, id: complete }))) {
          complete = event.id;
          send(event);
        }
      };
      const live = followChanges({
        log,
        what,
        againMs,
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
        look: async () => {
          if (gap) {
            const from: Date = gap;
            gap = null;
            const missed = await readAfter(from).catch((error: unknown) => {
              gap ??= from;
              throw error;
            });
            tell(missed, true);
          }
          while (pending.size > 0) {
            const isAll = pending.size <= ROWS_MAX;
            const ids = [...pending].slice(0, ROWS_MAX);
            for (const id of ids) pending.delete(id);
            const events = await read(ids).catch((error: unknown) => {
              // Nobody else tells of them again: they go with the next look.
              for (const id of ids) pending.add(id);
              throw error;
            });
            tell(events, isAll);
          }
        },
      });
      if (since) {
        const missed = await readAfter(since).catch((error: unknown) => {
          // Nobody is handed a way to stop what never opened.
          live.stop();
          throw error;
        });
        hasCaughtUp = true;
        tell(missed, true);
      }
      return live.stop;
    },
  };
}

/**
 * What one look found: only the last carries the time of the look, and what comes before it the id up to which the stream was complete.
 * A reader who is cut off amid them takes the stream up again there.
 */
export function markLast(events: readonly ServerEvent[], complete: string): ServerEvent[] {
  return events.map((event, n) => (n === events.length - 1 ? event : { ...event, id: complete }));
}

/** The event id of a stream that is complete up to a time. */
export function timeId(readAt: Date): string {
  return String(readAt.getTime());
}

/** The time an id of `timeId` stands for; null for none and for anything else. */
export function timeOfId(id: string | null): Date | null {
  return id !== null && /^\d{10,15}$/.test(id) ? new Date(Number(id)) : null;
}
