import { latestDue, nextRunAt } from '@partner-portal/core/schedule/schedule.ts';
import { scheduleInput } from '@partner-portal/core/schedule/template-schedule.ts';
import type { Executions } from '#modules/3-product/executions/index.ts';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { ScheduleDeps } from './change-schedule.ts';
import { claimDueSchedules, type DueSchedule, type ScheduleEnd, settleSchedules } from './store-schedules.ts';

export type RunSchedulesDeps = ScheduleDeps & { accept: Executions['accept']; clock: Clock; log: Log };

const BATCH = 200;
const LEASE_SECONDS = 60;

/**
 * Starts due schedules. Returns how many executions started. Each due time starts one execution, even with concurrent or crashed workers: the
 * time is the idempotency key, and only the claimant writes the next one. Times missed during an outage count as one, since the next is
 * computed from now.
 */
export async function runDueSchedules(deps: RunSchedulesDeps): Promise<number> {
  let started = 0;
  for (;;) {
    const by = newId();
    const now = deps.clock.now();
    const due = await deps.db.asSystem('sweep', (tx) => claimDueSchedules(tx, { by, now, batch: BATCH, leaseSeconds: LEASE_SECONDS }));
    if (due.length === 0) break;
    const settled = await Promise.allSettled(due.map((one) => startOne(deps, one, now)));
    const ends = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // A failed one stays claimed and is retried when its lease expires.
    for (const one of settled) if (one.status === 'rejected') deps.log.warn({ err: one.reason }, 'could not start a scheduled execution');
    if (ends.length > 0) await deps.db.asSystem('sweep', (tx) => settleSchedules(tx, by, ends));
    started += ends.filter((end) => end.outcome === 'started').length;
    if (due.length < BATCH) break;
  }
  return started;
}

async function startOne(deps: RunSchedulesDeps, due: DueSchedule, now: Date): Promise<ScheduleEnd> {
  const { workflowId, dueAt } = due;
  const template = deps.templateOf(due.templateName);
  const end = { workflowId, dueAt, nextDueAt: nextRunAt(due, now) };
  const result = await deps.accept({
    workflowId,
    source: 'schedule',
    body: { input: template ? scheduleInput(template, latestDue(due, dueAt, now), due.timezone) : {} },
    idempotencyKey: dueAt.toISOString(),
  });
  const { outcome, executionId } = result;
  if (outcome === 'accepted' || outcome === 'replayed') return { ...end, outcome: 'started', reason: null, executionId };
  // Another process is starting the same one; the next claim sees its result.
  if (outcome === 'retry' || outcome === 'busy') throw new Error(`The schedule of ${workflowId} cannot be started right now (${outcome}).`);
  return { ...end, outcome: 'skipped', reason: outcome, executionId: null };
}
