import { transitionInstance, statesThatAllow } from '@partner-portal/core/provisioning/instance.ts';
import { STEP_LISTS, type StepName } from '@partner-portal/core/provisioning/provisioning.ts';
import { announce } from '#platform/notify.ts';
import { type Attempt, demandRunning, type StepContext, type StepOutcome } from '../attempt.ts';
import { failForAttempt, settleForAttempt } from '../change-instance.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { AttemptOver, ClaimLost, publicTextOf, StepFailed, toFailure } from '../step-failed.ts';
import { STEPS } from '../steps/index.ts';
import { completeAttempt, failAttempt, finishStep, startStep } from '../store-attempts.ts';
import { saveVerified } from '../drift/store-drift.ts';
import { provisioningChanged } from '../views/topic.ts';

export type AttemptEnd = 'succeeded' | 'failed' | 'claim_lost' | 'over';

/**
 * Runs the steps of an attempt. Each step: its start is committed, it acts without a transaction, its end is committed with what it decided.
 * A throw fails attempt and instance. When the attempt timed out meanwhile, nothing more is written.
 */
export async function runAttempt(deps: ProvisioningDeps, attempt: Attempt, signal: AbortSignal): Promise<AttemptEnd> {
  const steps = STEP_LISTS[attempt.mode];
  const context: StepContext = {
    deps,
    attempt,
    signal,
    claimed: attempt.claimed,
    projectId: attempt.projectId,
    installs: null,
    ownFlows: null,
  };
  const log = deps.log.child({ attemptId: attempt.id, partnerId: attempt.partnerId, mode: attempt.mode });
  for (const [index, name] of steps.entries()) {
    const order = index + 1;
    const startedAt = performance.now();
    try {
      await commit(context, 'step', async (tx) => demand(await startStep(tx, attempt.id, order)));
      if (signal.aborted) throw new StepFailed(INTERRUPTED);
      const outcome = await runStep(name, context);
      await commit(context, order === steps.length ? 'ended' : 'step', async (tx) => {
        // Lock order as in the timeout sweep: the attempt before its instance and steps.
        await demandRunning(tx, context);
        await outcome.write?.(tx);
        demand(
          await finishStep(tx, attempt.id, order, {
            summary: outcome.summary,
            warnings: outcome.warnings ?? [],
            metadata: outcome.metadata ?? {},
          }),
        );
        if (order === steps.length) await complete(context, tx);
      });
      if (name === 'claim_instance') context.claimed = true;
      log.info({ step: name, durationMs: Math.round(performance.now() - startedAt) }, 'provisioning step done');
    } catch (error) {
      return await endWith(context, order, name, error, log);
    }
  }
  return 'succeeded';
}

const MINUTE_MS = 60_000;
/** Steps that call no engine: they refuse or claim at once, also while it starts. */
const WITHOUT_ENGINE: ReadonlySet<StepName> = new Set(['feature_gate', 'partner_lookup', 'claim_instance']);
const STILL_STARTING = {
  internal: 'The embedded engine did not start in the time that an attempt may take.',
  public: 'The automation platform is still starting. Please try again in a few minutes.',
};
const INTERRUPTED = {
  internal: 'The service was stopped while this attempt ran.',
  public: 'Setup was interrupted by a restart. Please try again.',
};

async function runStep(name: StepName, context: StepContext): Promise<StepOutcome> {
  if (!WITHOUT_ENGINE.has(name)) await waitForEngine(context.deps.settings);
  return STEPS[name](context);
}

/** Waits for an embedded engine that is starting, as long as an attempt may take. */
async function waitForEngine({ engineStarted, provisionTimeoutMinutes }: ProvisioningDeps['settings']): Promise<void> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new StepFailed(STILL_STARTING)), provisionTimeoutMinutes * MINUTE_MS);
  await Promise.race([engineStarted, limit.promise]).finally(() => clearTimeout(timer));
}

type Tx = Parameters<Parameters<ProvisioningDeps['db']['asSystem']>[1]>[0];

/** One short transaction of the attempt, announced to streams on commit. */
async function commit(context: StepContext, what: 'step' | 'ended', work: (tx: Tx) => Promise<void>): Promise<void> {
  const { id: attemptId, partnerId, clientId } = context.attempt;
  await context.deps.db.asSystem('provisioning', async (tx) => {
    await work(tx);
    await announce(tx, provisioningChanged, { partnerId, attemptId, clientId, what });
  });
}

function demand(held: boolean): void {
  if (!held) throw new AttemptOver();
}

async function complete(context: StepContext, tx: Tx): Promise<void> {
  const { id: attemptId, partnerId, mode, workflowIds } = context.attempt;
  const from = mode === 'deprovision' ? 'deprovisioning' : 'provisioning';
  const move = transitionInstance(from, 'completed', mode);
  if (!move.ok) throw new Error(`An attempt to ${mode} cannot be completed.`);
  demand(await completeAttempt(tx, attemptId));
  demand(await settleForAttempt(tx, { partnerId, attemptId, from }, move));
  // Its last steps verified what it installed.
  if (workflowIds.length > 0) await saveVerified(tx, partnerId, workflowIds);
}

async function endWith(
  context: StepContext,
  order: number,
  name: StepName,
  error: unknown,
  log: ProvisioningDeps['log'],
): Promise<AttemptEnd> {
  const { id: attemptId, partnerId, mode } = context.attempt;
  if (error instanceof AttemptOver) {
    log.warn({ step: name }, 'provisioning attempt was ended by another process');
    return 'over';
  }
  const lost = error instanceof ClaimLost;
  const failure = lost ? new StepFailed({ internal: error.message, public: 'Another setup is running.' }) : toFailure(error);
  log.warn({ step: name, err: failure, cause: failure.cause }, 'provisioning step failed');
  // The flows are listed by the step that switches them off.
  const hasTakenDown = context.ownFlows !== null && context.ownFlows.length > 0;
  const publicText = publicTextOf({ mode, hasTakenDown }, failure);
  const written = { internal: `${name}: ${failure.internal}`, public: publicText, metadata: failure.metadata };
  let over = false;
  await commit(context, 'ended', async (tx) => {
    over = !(await failAttempt(tx, attemptId, order, written));
    if (over || lost) return;
    const from = statesThatAllow(context.claimed ? 'failed' : 'refused');
    await failForAttempt(tx, { partnerId, attemptId, claimed: context.claimed, from }, written);
  });
  if (over) return 'over';
  return lost ? 'claim_lost' : 'failed';
}
