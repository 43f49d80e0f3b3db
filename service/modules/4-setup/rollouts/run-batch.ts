import { afterBatch, nextRolloutAction } from '@partner-portal/core/provisioning/rollout.ts';
import { type ActingStaff, actorOf, findActingStaff } from '#modules/2-tenancy/identity/index.ts';
import { newId } from '#platform/ids.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { AppError } from '#platform/refuse.ts';
import type { RolloutsDeps } from './deps.ts';
import { queueBatch } from './roll-out-job.ts';
import {
  claimPartners,
  listDueRollouts,
  readPartnerState,
  lockRollout,
  type PartnerEnd,
  readProgress,
  type RolloutRow,
  settlePartner,
  writeRollout,
} from './store.ts';

const DUE_MAX = 50;
const LATER: PartnerEnd = { status: 'pending', attemptId: null, message: null };

/**
 * Repairs the next batch of partners one after the other and queues the next batch. Safe to repeat: a partner is claimed before its repair, and
 * repairs are idempotent. Batches never overlap, so a partner found claimed was left by a dead process: it is claimed again, and is busy
 * while its attempt still holds the instance.
 */
export async function runBatch(deps: RolloutsDeps, rolloutId: string, signal?: AbortSignal): Promise<void> {
  const by = newId();
  const batch = await deps.db.asSystem('provisioning', async (tx) => {
    const rollout = await lockRollout(tx, rolloutId);
    if (rollout?.status !== 'running') return undefined;
    const leaseMinutes = deps.provisionTimeoutMinutes * rollout.batchSize;
    await writeRollout(tx, rolloutId, 'running', new Date(deps.clock.now().getTime() + leaseMinutes * 60_000));
    const partnerIds = await claimPartners(tx, { rolloutId, by, batch: rollout.batchSize });
    const staff = rollout.requestedBy === null ? undefined : await findActingStaff(tx, rollout.requestedBy);
    return { rollout, partnerIds, staff };
  });
  if (!batch) return;
  const { rollout, partnerIds, staff } = batch;
  for (const partnerId of partnerIds) {
    const end = signal?.aborted || deps.isStopping() ? LATER : await updateOne(deps, rollout, partnerId, staff);
    await deps.db.asSystem('provisioning', (tx) => settlePartner(tx, { rolloutId, partnerId, by }, end));
  }
  await deps.db.asSystem('provisioning', async (tx) => {
    const now = await lockRollout(tx, rolloutId);
    if (!now) return;
    const progress = await readProgress(tx, rolloutId);
    const status = afterBatch(now.status, progress);
    const dueAt = status === 'running' ? progress.nextDueAt : null;
    if (status !== now.status || status === 'running') await writeRollout(tx, rolloutId, status, dueAt);
    if (dueAt && dueAt <= deps.clock.now()) await queueBatch(tx, rolloutId);
  });
}

async function updateOne(deps: RolloutsDeps, rollout: RolloutRow, partnerId: string, staff: ActingStaff | undefined): Promise<PartnerEnd> {
  if (!staff) return { status: 'failed', attemptId: null, message: 'The user who started this roll-out may no longer act.' };
  const action = nextRolloutAction(await deps.db.asSystem('provisioning', (tx) => readPartnerState(tx, rollout, partnerId)));
  if (action.do === 'skip') return { status: 'skipped', attemptId: null, message: action.why };
  if (action.do === 'wait') return LATER;
  try {
    const request = { partnerId, mode: action.do, templateNames: [rollout.templateName], installedOnly: true };
    const answer = await deps.provision(actorOf(staff, deps.clock.now()), request);
    const { attemptId } = answer;
    if (answer.status === 'succeeded') return { status: 'succeeded', attemptId, message: null };
    if (deps.isStopping()) return { ...LATER, attemptId };
    const message = answer.steps.find((step) => step.status === 'failed')?.error ?? answer.instance.lastError ?? 'The repair failed.';
    return { status: 'failed', attemptId, message };
  } catch (error) {
    if (!(error instanceof AppError)) {
      // Counts as failed, so that our own errors stop a rollout too.
      deps.log.error({ err: error, rolloutId: rollout.id, partnerId }, 'repair in a rollout failed unexpectedly');
      return { status: 'failed', attemptId: null, message: 'Something went wrong on our side.' };
    }
    if (error.code === 'provision_in_progress') return LATER;
    return { status: error.code === 'invalid_state' ? 'skipped' : 'failed', attemptId: null, message: error.message };
  }
}

/** Cron `rollouts.sweep`: queues due rollouts, whose partners were busy or whose process died. */
export async function sweepRollouts(deps: Pick<RolloutsDeps, 'db'>, { log }: Pick<JobContext, 'log'>): Promise<void> {
  const count = await deps.db.asSystem('sweep', async (tx) => {
    const due = await listDueRollouts(tx, DUE_MAX);
    for (const rolloutId of due) await queueBatch(tx, rolloutId);
    return due.length;
  });
  if (count > 0) log.info({ count }, 'rollouts queued again');
}
