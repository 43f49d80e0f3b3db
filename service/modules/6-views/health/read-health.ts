import type { Actor } from '#platform/actor.ts';
import { readWorkerState } from '#platform/jobs/heartbeat.ts';
import type { Check, HealthDeps } from './deps.ts';

const DATABASE_TIMEOUT_MS = 2_000;
/** Due jobs above which the queue is degraded; the alert rule of `deploy/prometheus/` has the same number. */
export const QUEUE_DEGRADED_AT = 10_000;

/** Asks everything that the service depends on. */
export async function readChecks(deps: HealthDeps) {
  const isUp = deps.db.isUp(DATABASE_TIMEOUT_MS);
  // Without its database the queue is down anyway. A server that is silent, not gone, would keep both waiting for as long as it is.
  const whileUp = async <T>(asked: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([asked, isUp.then((up) => (up ? asked : otherwise))]);
  const unknown = { seenAt: null, isSilent: false };
  const [up, queueDepth, workers, engine, mail, scanner] = await Promise.all([
    isUp,
    whileUp(deps.queueDepth(), null),
    whileUp(
      readWorkerState(deps.db).catch(() => unknown),
      unknown,
    ),
    deps.engine(),
    deps.mail(),
    deps.scanner?.(),
  ]);
  const database: Check = up ? 'ok' : 'down';
  const isBehind = (queueDepth ?? 0) > QUEUE_DEGRADED_AT || deps.hasRunnerEnded() || workers.isSilent;
  const queue: Check = queueDepth === null ? 'down' : isBehind ? 'degraded' : 'ok';
  const checks = { database, queue, engine, mail, ...(scanner === undefined ? {} : { scanner }) };
  return { status: overall(checks), checks, queueDepth, workers };
}

/** Down without the database; degraded without the engine, when executions wait, and without the scanner, when files are refused. */
function overall(checks: Record<'database' | 'queue' | 'engine' | 'mail', Check> & { scanner?: Check }): Check {
  const { database, queue, engine, mail, scanner } = checks;
  if (database === 'down' || queue === 'down') return 'down';
  return [queue, engine, mail, scanner].some((check) => check === 'degraded' || check === 'down') ? 'degraded' : 'ok';
}

/** Returns the checks with the counts that staff see. */
export async function readSystem(deps: HealthDeps, actor: Actor) {
  const state = await readChecks(deps);
  const [mail, staff] = await deps.db.asStaff(actor, (tx) => Promise.all([deps.countMail(tx), deps.countStaff(tx)]));
  return {
    ...state,
    mail: { ...mail, configured: state.checks.mail !== 'disabled' },
    staff: { ...staff, secondStepRequired: deps.staffMfaRequired },
    configuration: deps.configuration,
  };
}
