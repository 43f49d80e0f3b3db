import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';

/** Notes that one statement folds, and how long one tick may go on. */
const NOTES = 10_000;
const TICK_MS = 20_000;
/** An agency with many years is filled by one statement. */
const FILL_TIMEOUT_MS = 600_000;
/** Less than the lease of a purge. */
const FOLD_ONE_TIMEOUT_MS = 90_000;

/**
 * Brings the sums of agencies and agents up to date: adds what was noted since the last tick, then what was used before the sums existed, agency by
 * agency; one that fails holds up no other. Sums are exact without it, too, and take longer to read the more is left.
 */
export async function foldUsage({ db }: { db: Database }, { signal, log }: Pick<JobContext, 'signal' | 'log'>): Promise<void> {
  const endsAt = performance.now() + TICK_MS;
  const goesOn = (): boolean => !signal.aborted && performance.now() < endsAt;
  const foldAll = async (): Promise<void> => {
    while ((await foldSome(db)) === NOTES && goesOn());
  };
  await foldAll();
  for (const partnerId of await listUnfilled(db)) {
    if (!goesOn()) return;
    try {
      await fillOne(db, partnerId);
    } catch (error) {
      log.error({ err: error, partnerId }, 'usage from before the update was not added');
      continue;
    }
    await foldAll();
  }
}

/** Folds all that was noted of one agency, and what it used before the sums existed: a purge removes it, and the sums of all agencies keep it. */
export async function foldUsageOf(tx: SystemTx, partnerId: string): Promise<void> {
  await allow(tx, FOLD_ONE_TIMEOUT_MS);
  await fill(tx, partnerId);
  await runStatement(tx, { name: 'metering_fold_one', text: 'select fold_usage(2147483647, $1)', values: [partnerId] });
}

async function listUnfilled(db: Database): Promise<string[]> {
  return db.asSystem('metering', async (tx) => {
    const rows = await runStatement<'metering_unfilled', { partnerId: string }>(tx, {
      name: 'metering_unfilled',
      text: 'select partner_id from usage_fill order by random()',
    });
    return rows.map(({ partnerId }) => partnerId);
  });
}

async function fillOne(db: Database, partnerId: string): Promise<void> {
  await db.asSystem('metering', async (tx) => {
    await allow(tx, FILL_TIMEOUT_MS);
    await fill(tx, partnerId);
  });
}

/** Lets the statements of this transaction run longer than usual. */
async function allow(tx: SystemTx, ms: number): Promise<void> {
  await runStatement(tx, {
    name: 'metering_fill_timeout',
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(ms)],
  });
}

async function fill(tx: SystemTx, partnerId: string): Promise<void> {
  await runStatement(tx, { name: 'metering_fill', text: 'select fill_usage($1)', values: [partnerId] });
}

/** Returns how many notes were taken. */
async function foldSome(db: Database): Promise<number> {
  return db.asSystem('metering', async (tx) => {
    const [row] = await runStatement<'metering_fold', { taken: number }>(tx, {
      name: 'metering_fold',
      text: 'select fold_usage($1) as taken',
      values: [NOTES],
    });
    return row?.taken ?? 0;
  });
}
