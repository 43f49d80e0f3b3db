import { describeAlert } from '@partner-portal/core/alert/alert.ts';
import { providerTitle } from '@partner-portal/core/credential/credential.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { recordFacts } from '#platform/facts.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import type { AlertsDeps } from './deps.ts';
import { alertChanged, type AlertOpened, type AlertResolved } from './facts.ts';
import { clearAlerts, describeEndpoints, findHouse, listNewConditions, type NewAlert, openAlerts } from './store-conditions.ts';

const BATCH = 200;
/** A sweep whose next round would not fit leaves the rest to the next one, a minute later. */
const SWEEP_MS = 1_000;

/**
 * Opens alerts for new conditions and resolves those whose condition cleared, for the partners named or for all, in a fixed number of
 * statements. Safe to run concurrently: each alert opens, resolves and is notified once. Returns how many changed.
 */
export async function evaluateAlerts(tx: SystemTx, partnerIds: readonly string[] | null): Promise<number> {
  const found: NewAlert[] = (await listNewConditions(tx, partnerIds, BATCH)).map((one) => {
    const label = one.rule === 'credential_invalid' || one.rule === 'credential_unverified' ? keyLabel(one.label) : one.label;
    return { ...one, label, ...describeAlert(one.rule, label, one.facts) };
  });
  const opened = (await openAlerts(tx, found)).flatMap(({ id, n, openedAt }) => {
    const alert = found[n];
    return alert ? [{ ...alert, id, openedAt }] : [];
  });
  const cleared = await clearAlerts(tx, partnerIds, BATCH);
  const endpoints = await describeEndpoints(
    tx,
    opened.filter(({ rule }) => rule === 'webhook_failing').map(({ subjectId }) => subjectId),
  );
  const openedFacts = opened.map(({ facts, ...alert }): AlertOpened => ({
    ...alert,
    change: 'opened',
    failures: facts.failures ?? 0,
    attemptId: facts.attemptId ?? null,
    endpoint: endpoints.find(({ id }) => id === alert.subjectId) ?? null,
  }));
  const raised = new Set(opened.filter(({ rule }) => rule === 'usage_threshold').map(({ partnerId }) => partnerId));
  // A usage alert that a higher threshold replaces is not reported as resolved.
  const resolvedFacts = cleared
    .filter(({ rule, partnerId }) => !(rule === 'usage_threshold' && raised.has(partnerId)))
    .map((alert): AlertResolved => ({ ...alert, change: 'resolved' }));
  await recordFacts(tx, alertChanged, [...openedFacts, ...resolvedFacts]);
  return Math.max(opened.length, cleared.length);
}

/** Opens and resolves the alerts of the service itself, which staff see. For a process that notices before the sweep, or while no job runs. */
export async function evaluateService({ db }: Pick<AlertsDeps, 'db'>): Promise<void> {
  await db.asSystem('sweep', async (tx) => {
    const house = await findHouse(tx);
    if (house !== undefined) await evaluateAlerts(tx, [house]);
  });
}

/** Cron `alerts.sweep`: evaluates all partners, in bounded batches, so that a missed trigger delays an alert by a minute, or several when thousands were missed. */
export async function sweepAlerts(deps: Pick<AlertsDeps, 'db' | 'log'>, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const beganAt = performance.now();
  let rounds = 0;
  let roundMs = 0;
  do {
    const roundAt = performance.now();
    const changed = await deps.db.asSystem('sweep', (tx) => evaluateAlerts(tx, null));
    if (changed < BATCH) return;
    rounds += 1;
    roundMs = Math.max(roundMs, performance.now() - roundAt);
  } while (performance.now() - beganAt + roundMs < SWEEP_MS && !signal.aborted);
  deps.log.warn({ batch: BATCH, rounds }, 'alert sweep stopped before it reached all conditions');
}

/** The subject of a sentence about a key; the conditions name its provider by id. */
function keyLabel(provider: string): string {
  return provider === 'postgres' ? `The ${providerTitle(provider)}` : providerTitle(provider);
}
