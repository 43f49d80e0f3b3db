import { createFairTurns, type FairTurns, type TurnRequest, TurnRefusal } from '../fair-turns.ts';
import { AppError, BUSY_RETRY_SECONDS } from '../refuse.ts';

/** Pages of exports that are read at once in this process, of which a tenant alone has half; other requests have the rest of the database's connections. */
export const EXPORT_TURNS = { slots: 4, perPart: 1, waitingMax: 2_048, waitMs: 30_000 };

/** Turns of the pages of all exports, by tenant; a user reads one page at a time. */
export type ExportTurns = {
  /** Opens an export, which reads its first page. Throws `service_unavailable` when too many wait. */
  open: <T>(who: TurnRequest, work: () => Promise<T>) => Promise<T>;
  /** Reads each page in a turn of its own, so that a slow receiver holds none. Ends when `isGone`: no one takes the rest. */
  read: <T>(who: TurnRequest, pages: AsyncIterable<T>, isGone: () => boolean) => AsyncGenerator<T>;
};

export function createExportTurns(inTurn: FairTurns = createFairTurns(EXPORT_TURNS)): ExportTurns {
  return {
    async open(who, work) {
      try {
        return await inTurn(who, work);
      } catch (error) {
        if (!(error instanceof TurnRefusal)) throw error;
        const detail = 'Too many exports are waiting. Try again in a moment.';
        throw new AppError('service_unavailable', { detail, retryAfterSeconds: BUSY_RETRY_SECONDS, cause: error });
      }
    },
    async *read(who, pages, isGone) {
      const reading = pages[Symbol.asyncIterator]();
      try {
        for (;;) {
          const page = await inTurn(who, async () => (isGone() ? null : await reading.next()));
          if (page === null || page.done) return;
          yield page.value;
        }
      } finally {
        await reading.return?.();
      }
    },
  };
}
