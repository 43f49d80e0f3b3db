import type { Json } from '@partner-portal/core/template/types.ts';
import type { Executions } from '#modules/3-product/executions/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import { claimDuePlanned, type DuePlanned, forgetPlanned, type PlannedEnd, settlePlanned } from './store-planned.ts';

export type RunPlannedDeps = { db: Database; clock: Clock; log: Log; accept: Executions['accept'] };

const BATCH = 200;
const LEASE_SECONDS = 60;
const LATER_MS = 15 * 60_000;
/** Answers to an idempotency key are kept for a day: after less than that nobody can know any more whether the run began. */
const DOUBT_MS = 20 * 3_600_000;
const KEEP_DAYS = 30;
const FORGET_BATCH = 2_000;

/**
 * Begins planned runs whose moment has come; answers how many. Each begins once: its id is the key of an idempotent accept, so a
 * second look, another process or a death between the run and its note end with the one run.
 */
export async function runDuePlanned(deps: RunPlannedDeps): Promise<number> {
  let started = 0;
  for (;;) {
    const by = newId();
    const now = deps.clock.now();
    const due = await deps.db.asSystem('sweep', (tx) => claimDuePlanned(tx, { by, now, batch: BATCH, leaseSeconds: LEASE_SECONDS }));
    if (due.length === 0) return started;
    const settled = await Promise.allSettled(due.map((one) => beginOne(deps, one, now)));
    const ends = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // What could not be asked stays claimed; it is taken up again when the lease is over.
    for (const one of settled) if (one.status === 'rejected') deps.log.warn({ err: one.reason }, 'a planned run was not started');
    await settle(deps.db, by, now, ends);
    started += ends.filter((end) => end.status === 'started').length;
    if (due.length < BATCH) return started;
  }
}

async function settle(db: Database, by: string, now: Date, ends: readonly PlannedEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const settled = await db.asSystem('sweep', (tx) => settlePlanned(tx, { by, now, ends, locked: 'skip' }));
  for (const end of ends) {
    if (settled.includes(end.id)) continue;
    await db.asSystem('sweep', (tx) => settlePlanned(tx, { by, now, ends: [end], locked: 'wait' }));
  }
}

async function beginOne(deps: RunPlannedDeps, due: DuePlanned, now: Date): Promise<PlannedEnd> {
  const { id, lastAt, lapsedAt } = due;
  const end = (status: PlannedEnd['status'], reason: string | null, rest: Partial<PlannedEnd> = {}): PlannedEnd => ({
    id,
    status,
    reason,
    executionId: null,
    tryAt: null,
    ...rest,
  });
  if (lapsedAt !== null && now.getTime() - lapsedAt.getTime() > DOUBT_MS) return end('missed', 'in_doubt');
  // A claim that lapsed may have begun the run: accept knows, and answers with it.
  if (now > lastAt && lapsedAt === null) return end('missed', 'too_late');
  const { outcome, executionId } = await deps.accept({
    workflowId: due.workflowId,
    source: 'schedule',
    body: { input: due.input as { [key: string]: Json } }, // stored as JSON
    idempotencyKey: `planned:${id}`,
  });
  switch (outcome) {
    case 'accepted':
    case 'replayed':
      return end('started', null, { executionId });
    case 'retry':
      throw new Error(`The planned run ${id} is being started by another process.`);
    case 'workflow_inactive':
    case 'account_suspended':
      return end('cancelled', outcome);
    case 'quota_exceeded':
    case 'rate_limited': {
      const tryAt = new Date(now.getTime() + LATER_MS);
      return tryAt <= lastAt ? end('waiting', outcome, { tryAt }) : end('skipped', outcome);
    }
    default:
      return end('skipped', outcome);
  }
}

/** Forgets what is long over, a batch at a time. */
export async function forgetOldPlanned(deps: Pick<RunPlannedDeps, 'db'>): Promise<void> {
  while ((await deps.db.asSystem('sweep', (tx) => forgetPlanned(tx, KEEP_DAYS, FORGET_BATCH))) === FORGET_BATCH);
}
