import { SealFault } from '../seal-fault.ts';
import type { Database, SystemTx } from './tx.ts';

export type RewrapProgress = { done: number; total: number };
export type RewrapOptions = { batch?: number; signal?: AbortSignal; onProgress?: (progress: RewrapProgress) => void };
/** How many rows were sealed again, and the names of those that do not open, which stay unchanged. */
export type RewrapResult = { rewrapped: number; failed: string[] };

/** One kind of row that a master key seals. */
export type SealedRows<Row, Fresh> = {
  /** Counts rows sealed with another key than the newest. */
  count: (tx: SystemTx) => Promise<number>;
  /** Locks and returns the next of them in id order. Waits for rows locked by others; skips none. */
  claim: (tx: SystemTx, afterId: string, batch: number) => Promise<Row[]>;
  idOf: (row: Row) => string;
  /** Name of the row in `failed`; its id when left out. */
  nameOf?: (row: Row) => string;
  /** Seals the row again. A `SealFault` skips the row; any other error ends the rewrap. */
  reseal: (row: Row, tx: SystemTx) => Fresh | Promise<Fresh>;
  replace: (tx: SystemTx, fresh: Fresh[]) => Promise<void>;
};

const BATCH = 100;
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Seals rows with the newest master key, so that an older one may leave the ring. Each batch commits on its own: it may be stopped, resumed
 * or run concurrently. Readers are not blocked, because a row names the key that sealed it and the ring holds both.
 */
export async function rewrapRows<Row, Fresh>(
  db: Database,
  rows: SealedRows<Row, Fresh>,
  options: RewrapOptions = {},
): Promise<RewrapResult> {
  const total = await db.asSystem('rewrap', rows.count);
  const result: RewrapResult = { rewrapped: 0, failed: [] };
  let afterId = NIL;
  while (!options.signal?.aborted) {
    const batch = await db.asSystem('rewrap', async (tx) => {
      const claimed = await rows.claim(tx, afterId, options.batch ?? BATCH);
      const { fresh, failed } = await resealAll(rows, claimed, tx);
      if (fresh.length > 0) await rows.replace(tx, fresh);
      return { last: claimed.at(-1), done: fresh.length, failed };
    });
    if (batch.last === undefined) break;
    afterId = rows.idOf(batch.last);
    result.rewrapped += batch.done;
    result.failed.push(...batch.failed);
    options.onProgress?.({ done: result.rewrapped, total });
  }
  return result;
}

async function resealAll<Row, Fresh>(
  rows: SealedRows<Row, Fresh>,
  claimed: Row[],
  tx: SystemTx,
): Promise<{ fresh: Fresh[]; failed: string[] }> {
  const fresh: Fresh[] = [];
  const failed: string[] = [];
  for (const row of claimed) {
    try {
      fresh.push(await rows.reseal(row, tx));
    } catch (error) {
      if (!(error instanceof SealFault)) throw error;
      failed.push((rows.nameOf ?? rows.idOf)(row));
    }
  }
  return { fresh, failed };
}
