import { purgeRetryMs } from '@partner-portal/core/account/purge.ts';
import type { PurgeStepName } from '@partner-portal/contract/vocabulary.ts';
import { isEngineError } from '#adapters/engine-client.ts';
import { newId } from '#platform/ids.ts';
import type { PurgeDeps } from './deps.ts';
import { planPurge } from './plan.ts';
import { announceChange, demandClaim, inStep, LEASE_SECONDS, PurgeLost, type PurgeRun, PurgeStopped, StillBusy } from './purge-run.ts';
import { STEPS } from './steps/index.ts';
import { queuePurges } from './purge-job.ts';
import { claimPurge, failStep, finishStep, readSteps, releasePurge, startStep } from './store.ts';

const BUSY_MS = 5_000;

/**
 * Runs the steps of a purge that are left, in order. Each records its start, acts in short transactions of its own, and records its end; each may
 * run again. A step that cannot proceed leaves the purge to be continued later.
 */
export async function runPurge(
  deps: PurgeDeps,
  deletionRequestId: string,
  { signal, turn }: Pick<PurgeRun, 'signal' | 'turn'>,
): Promise<'completed' | 'later' | 'lost'> {
  const worker = newId();
  const claimed = await deps.db.asSystem('purge', (tx) => claimPurge(tx, deletionRequestId, worker, deps.clock.now(), LEASE_SECONDS));
  if (!claimed) return 'lost';
  const plan = await planPurge(deps.db, claimed.clientId === null ? 'partner' : 'client');
  const log = deps.log.child({ deletionRequestId, partnerId: claimed.partnerId });
  const run: PurgeRun = { ...claimed, deps, log, worker, signal, turn, plan, announcedAt: 0 };
  let step: PurgeStepName = 'tear_down_engine';
  try {
    for (;;) {
      const steps = await deps.db.asSystem('purge', (tx) => readSteps(tx, deletionRequestId));
      const next = steps.find((one) => one.status !== 'succeeded');
      if (!next) return 'completed';
      step = next.name;
      await runStep(run, step);
    }
  } catch (error) {
    if (error instanceof PurgeLost) return 'lost';
    await postpone(run, step, error);
    return 'later';
  }
}

async function runStep(run: PurgeRun, name: PurgeStepName): Promise<void> {
  const startedAt = performance.now();
  await inStep(run, async (tx) => {
    await startStep(tx, run.deletionRequestId, name, run.deps.clock.now());
    await announceChange(tx, run);
  });
  const outcome = await STEPS[name](run);
  // The last step records its own end, with that of the purge; one that found rows begins again from theirs.
  if (outcome === 'recorded') return;
  await inStep(run, async (tx) => {
    await finishStep(tx, run.deletionRequestId, name, run.deps.clock.now());
    await announceChange(tx, run);
  });
  run.log.info({ step: name, durationMs: Math.round(performance.now() - startedAt) }, 'purge step done');
}

/** Gives the purge back: at once when the process stops, else after a wait that grows with the tries. */
async function postpone(run: PurgeRun, name: PurgeStepName, error: unknown): Promise<void> {
  const { deps, deletionRequestId } = run;
  const waitsForEngine = isEngineError(error);
  await deps.db.asSystem('purge', async (tx) => {
    await demandClaim(tx, run);
    const now = deps.clock.now();
    let waitMs = 0;
    if (!(error instanceof PurgeStopped)) {
      const tries = (await readSteps(tx, deletionRequestId)).find((one) => one.name === name)?.tries ?? 0;
      waitMs = error instanceof StillBusy ? BUSY_MS : purgeRetryMs(tries + 1);
      const problem = (error instanceof Error ? error.message : 'unknown').slice(0, 1_000);
      await failStep(tx, deletionRequestId, name, problem, waitsForEngine);
      if (waitsForEngine || error instanceof StillBusy) run.log.warn({ step: name, waitMs, problem }, 'purge waits');
      else run.log.error({ step: name, waitMs, err: error }, 'purge step failed, it is tried again');
    }
    const dueAt = new Date(now.getTime() + waitMs);
    await releasePurge(tx, deletionRequestId, dueAt, waitsForEngine);
    await queuePurges(tx, { runAt: new Date(Date.now() + waitMs), key: deletionRequestId });
    await announceChange(tx, run);
  });
}
