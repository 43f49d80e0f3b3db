import type { ReportRefusal } from '@partner-portal/contract/vocabulary.ts';
import { reportRefusalOf } from '@partner-portal/core/execution/report-refusal.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { AppError } from '#platform/refuse.ts';
import { addRefusals, type RefusalCount } from './store-refusals.ts';

export type RefusalCounter = {
  /** Counts a refused report in memory: nothing is written for a call that has proven nothing. */
  count(refusal: AppError): void;
  /** Stores what was counted. */
  flush(): Promise<void>;
  /** Stores what was counted, for the last time. */
  close(): Promise<void>;
};

const FLUSH_MS = 10_000;
const HOUR_MS = 3_600_000;

/** Counts refused reports by hour and reason and adds them to the database every ten seconds, while there are any. */
export function createRefusalCounter(deps: { db: Database; clock: Clock; log: Log }): RefusalCounter {
  let counted = new Map<number, Map<ReportRefusal, number>>();
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const add = (hour: number, reason: ReportRefusal, reports: number): void => {
    const ofHour = counted.get(hour) ?? new Map<ReportRefusal, number>();
    ofHour.set(reason, (ofHour.get(reason) ?? 0) + reports);
    counted.set(hour, ofHour);
    if (!isClosed) timer ??= setTimeout(() => void flush(), FLUSH_MS);
  };
  const store = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const rows: RefusalCount[] = [...counted].flatMap(([hour, reasons]) =>
      [...reasons].map(([reason, reports]) => ({ hour: new Date(hour), reason, reports })),
    );
    if (rows.length === 0) return;
    counted = new Map();
    try {
      await deps.db.asSystem('callback', (tx) => addRefusals(tx, rows));
    } catch (error) {
      deps.log.warn({ err: error }, 'refused reports are stored later');
      for (const { hour, reason, reports } of rows) add(hour.getTime(), reason, reports);
    }
  };
  const flush = (): Promise<void> => (storing = storing.then(store));
  return {
    count(refusal) {
      const reason = reportRefusalOf(refusal.code, refusal.extras.errors?.map(({ field }) => field) ?? []);
      const now = deps.clock.now().getTime();
      if (reason !== null) add(now - (now % HOUR_MS), reason, 1);
    },
    flush,
    close() {
      isClosed = true;
      return flush();
    },
  };
}
