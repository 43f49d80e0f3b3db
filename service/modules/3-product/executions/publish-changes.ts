import { z } from 'zod';
import type { Ended } from '@partner-portal/core/execution/window.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { defineTopic, sendNotices } from '#platform/notify.ts';

/** Ids of changed executions, by partner. One notification carries several partners, since each one costs a statement. */
export const executionsChanged = defineTopic(
  'executions',
  z.object({ changes: z.array(z.object({ partnerId: z.uuid(), ids: z.array(z.uuid()) })) }),
);
/** Executions wait to be dispatched (`waits`), or have ended in the engine: by the kind of run, how many and how long (ms) they took together. */
export const dispatchWaiting = defineTopic(
  'dispatch',
  z.object({ waits: z.boolean().default(true), ended: z.array(z.object({ kind: z.string(), runs: z.int(), ms: z.number() })).default([]) }),
);

export type ChangePublisher = {
  /** Publishes that an execution of this partner started or ended. */
  changed(partnerId: string, executionId: string): void;
  /** Publishes that executions wait to be dispatched. */
  waiting(): void;
  /** Publishes that a run of this kind has ended in the engine, which it took `ms`. */
  ended(kind: string, ms: number): void;
  /** Sends what is buffered. */
  flush(): Promise<void>;
  /** Sends what is buffered for the last time, without retry. */
  close(): Promise<void>;
};

const BUFFER_MS = 25;
const RETRY_MS = 1_000;
/** A PostgreSQL notification holds at most 8000 bytes; an id takes 39 of them, a partner about 70. */
const IDS_MAX = 100;
const NOTICE_BYTES = 7_800;
const ID_BYTES = 39;
const PARTNER_BYTES = 70;
/** Kinds of runs in one notice; the catalog has fewer. */
const KINDS_MAX = 50;

/**
 * Publishes changes after their transaction has committed, buffered for a moment. Inside it NOTIFY would be expensive: PostgreSQL commits
 * one notifying transaction at a time. What could not be sent is retried, since open pages have no other source.
 */
export function createChangePublisher(deps: { db: Pick<Database, 'call'>; log: Log; retryMs?: number }): ChangePublisher {
  const changes = new Map<string, Set<string>>();
  const ended = new Map<string, Ended>();
  let wake = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const buffer = (partnerId: string, executionId: string): void => {
    const ids = changes.get(partnerId);
    if (ids) ids.add(executionId);
    else changes.set(partnerId, new Set([executionId]));
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const sent = [...changes];
    const notices = notificationsOf(changes);
    if (wake || ended.size > 0)
      notices.push({ channel: dispatchWaiting.channel, payload: JSON.stringify({ waits: wake, ended: [...ended.values()] }) });
    changes.clear();
    // A failed notice only loses its samples for learning: the queue is polled every second.
    ended.clear();
    wake = false;
    if (notices.length === 0) return;
    try {
      await sendNotices(deps.db, notices);
    } catch (error) {
      deps.log.warn({ err: error }, 'could not publish changed executions');
      for (const [partnerId, ids] of sent) for (const id of ids) buffer(partnerId, id);
      // The dispatcher polls anyway.
      if (!isClosed && changes.size > 0) timer ??= setTimeout(() => void flush(), deps.retryMs ?? RETRY_MS);
    }
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), BUFFER_MS);
  };
  return {
    changed(partnerId, executionId) {
      buffer(partnerId, executionId);
      schedule();
    },
    waiting() {
      wake = true;
      schedule();
    },
    ended(kind, ms) {
      const known = ended.get(kind);
      if (known) {
        known.runs += 1;
        known.ms += ms;
      } else if (ended.size < KINDS_MAX) ended.set(kind, { kind, runs: 1, ms });
      schedule();
    },
    flush,
    close() {
      isClosed = true;
      return flush();
    },
  };
}

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Packs changes into as few notifications as possible. */
export function notificationsOf(changes: ReadonlyMap<string, ReadonlySet<string>>): { channel: string; payload: string }[] {
  const packed: { partnerId: string; ids: string[] }[][] = [];
  let bytesLeft = 0;
  for (const part of [...changes].flatMap(([partnerId, ids]) => chunks([...ids], IDS_MAX).map((some) => ({ partnerId, ids: some })))) {
    const bytes = PARTNER_BYTES + ID_BYTES * part.ids.length;
    const open = packed.at(-1);
    const fits = open !== undefined && bytes <= bytesLeft;
    if (fits) open.push(part);
    else packed.push([part]);
    bytesLeft = (fits ? bytesLeft : NOTICE_BYTES) - bytes;
  }
  return packed.map((part) => ({ channel: executionsChanged.channel, payload: JSON.stringify({ changes: part }) }));
}
