import { z } from 'zod';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { defineTopic } from '#platform/notify.ts';
import { sendNotices } from '../store-hot.ts';

/** Which runs changed, by agency: several agencies travel in one notice, since each costs a statement's share. */
export const runsChanged = defineTopic(
  'executions',
  z.object({ changes: z.array(z.object({ partnerId: z.uuid(), ids: z.array(z.uuid()) })) }),
);
export const dispatchWaits = defineTopic('dispatch', z.object({}));

export type Announcer = {
  /** A run of this agency started or ended. */
  changed(partnerId: string, executionId: string): void;
  /** Something waits to be dispatched. */
  waiting(): void;
  /** Sends what is held back now. */
  flush(): Promise<void>;
  /** The same for the last time: what cannot be sent is not tried again. */
  close(): Promise<void>;
};

const GATHER_MS = 25;
const RETRY_MS = 1_000;
/** A notice holds at most 8000 bytes; an id takes 39 of them, an agency about 70. */
const IDS_MAX = 100;
const NOTICE_BYTES = 7_800;
const ID_BYTES = 39;
const AGENCY_BYTES = 70;

/**
 * Sends notices after the commit of their cause, gathered for a moment. Inside the hot transactions a notice would cost
 * dearly: the server lets only one notifying transaction commit at a time. What could not be sent goes with the next ones, or in a while:
 * nobody else tells an open page that a run has ended.
 */
export function createAnnouncer(deps: { db: Pick<Database, 'call'>; log: Log; retryMs?: number }): Announcer {
  const changes = new Map<string, Set<string>>();
  let wake = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const hold = (partnerId: string, executionId: string): void => {
    const ids = changes.get(partnerId);
    if (ids) ids.add(executionId);
    else changes.set(partnerId, new Set([executionId]));
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const sent = [...changes];
    const notices = noticesOf(changes);
    if (wake) notices.push({ channel: dispatchWaits.channel, payload: '{}' });
    changes.clear();
    wake = false;
    if (notices.length === 0) return;
    try {
      await sendNotices(deps.db, notices);
    } catch (error) {
      deps.log.warn({ err: error }, 'changes of runs were not announced');
      for (const [partnerId, ids] of sent) for (const id of ids) hold(partnerId, id);
      // The dispatcher looks by itself.
      if (!isClosed && changes.size > 0) timer ??= setTimeout(() => void flush(), deps.retryMs ?? RETRY_MS);
    }
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), GATHER_MS);
  };
  return {
    changed(partnerId, executionId) {
      hold(partnerId, executionId);
      schedule();
    },
    waiting() {
      wake = true;
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

/** The notices of what changed: as many agencies in each as fit. */
export function noticesOf(changes: ReadonlyMap<string, ReadonlySet<string>>): { channel: string; payload: string }[] {
  const packed: { partnerId: string; ids: string[] }[][] = [];
  let room = 0;
  for (const part of [...changes].flatMap(([partnerId, ids]) => chunks([...ids], IDS_MAX).map((some) => ({ partnerId, ids: some })))) {
    const bytes = AGENCY_BYTES + ID_BYTES * part.ids.length;
    const open = packed.at(-1);
    const fits = open !== undefined && bytes <= room;
    if (fits) open.push(part);
    else packed.push([part]);
    room = (fits ? room : NOTICE_BYTES) - bytes;
  }
  return packed.map((part) => ({ channel: runsChanged.channel, payload: JSON.stringify({ changes: part }) }));
}
