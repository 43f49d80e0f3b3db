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
/** Idempotency keys are stored for a day: a claim older than this cannot be resolved. */
const DOUBT_MS = 20 * 3_600_000;
const KEEP_DAYS = 30;
const FORGET_BATCH = 2_000;

/**
 * Starts due planned runs. Returns how many. Each starts once: its id is the idempotency key, so a second claim, another process or a crash
 * before it was settled end with the same execution.
 */
export async function runDuePlanned(deps: RunPlannedDeps): Promise<number> {
  let started = 0;
  for (;;) {
    const by = newId();
    const now = deps.clock.now();
    const due = await deps.db.asSystem('sweep', (tx) => claimDuePlanned(tx, { by, now, batch: BATCH, leaseSeconds: LEASE_SECONDS }));
    if (due.length === 0) return started;
    const settled = await Promise.allSettled(due.map((one) => startOne(deps, one, now)));
    const ends = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // A failed one stays claimed and is retried when its lease expires.
    for (const one of settled) if (one.status === 'rejected') deps.log.warn({ err: one.reason }, 'could not start a planned run');
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

async function startOne(deps: RunPlannedDeps, due: DuePlanned, now: Date): Promise<PlannedEnd> {
  const { id, lastAt, expiredAt } = due;
  const end = (status: PlannedEnd['status'], reason: string | null, rest: Partial<PlannedEnd> = {}): PlannedEnd => ({
    id,
    status,
    reason,
    executionId: null,
    tryAt: null,
    ...rest,
  });
  if (expiredAt !== null && now.getTime() - expiredAt.getTime() > DOUBT_MS) return end('missed', 'in_doubt');
  // An expired lease may have started the execution: the idempotency key returns it.
  if (now > lastAt && expiredAt === null) return end('missed', 'too_late');
  // Sent in the same hour, both would be the later reminder.
  if (due.hasEarlier && expiredAt === null) return end('skipped', 'earlier_waits');
  if (due.hasLater && expiredAt === null) return end('skipped', 'later_is_due');
  const { outcome, executionId } = await deps.accept({
    executionId: due.executionId,
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
    case 'busy':
      throw new Error(`The planned run ${id} cannot be started right now (${outcome}).`);
    case 'workflow_inactive':
    case 'account_suspended':
      return end('cancelled', outcome);
    case 'quota_exceeded':
    case 'failures_exceeded':
    case 'rate_limited': {
      const tryAt = new Date(now.getTime() + LATER_MS);
      return tryAt <= lastAt ? end('waiting', outcome, { tryAt }) : end('skipped', outcome);
    }
    default:
      return end('skipped', outcome);
  }
}

/** Deletes old planned runs, a batch at a time. */
export async function forgetOldPlanned(deps: Pick<RunPlannedDeps, 'db'>): Promise<void> {
  while ((await deps.db.asSystem('sweep', (tx) => forgetPlanned(tx, KEEP_DAYS, FORGET_BATCH))) === FORGET_BATCH);
}
