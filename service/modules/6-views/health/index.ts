import { defineHandlers } from '#platform/http/context.ts';
import { answer } from '#platform/http/answer.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';

export type Check = 'ok' | 'degraded' | 'down' | 'disabled';

export type HealthDeps = {
  db: Database;
  /** Jobs that are due and not claimed; null when the database is down. */
  queueDepth: () => Promise<number | null>;
  /** Whether the job runner of this process ended and another is not up yet. */
  hasRunnerEnded: () => boolean;
  /** State of the engine. Never throws; has its own timeout. */
  engine: () => Promise<Check>;
  /** Whether mail can be sent: `disabled` without a transport. */
  mail: () => Promise<Check>;
  /** Whether the malware scanner responds; null when none is configured. */
  scanner?: (() => Promise<Check>) | null;
  /** Counts of the mail queue. */
  countMail: (tx: SystemTx) => Promise<MailCounts>;
  /** Counts staff who can log in, and those of them without two-step login. */
  countStaff: (tx: SystemTx) => Promise<{ active: number; withoutSecondStep: number }>;
  staffMfaRequired: boolean;
  /** Notes and warnings about the configuration; names of settings, never values. */
  configuration: readonly { settings: readonly string[]; state: 'ok' | 'note' | 'warn'; message: string }[];
};
type MailCounts = { queued: number; failed: number; notConfigured: number; sent24h: number; oldestQueuedAt: Date | null };

const DATABASE_TIMEOUT_MS = 2_000;
const QUEUE_DEGRADED_AT = 10_000;

/** Liveness without the database, readiness with every dependency. Both are public, so they name no addresses and no causes. */
export function health(deps: HealthDeps) {
  return {
    routes: defineHandlers({
      getHealth: () => ({ status: 'ok' as const }),
      getReadiness: async () => {
        const { status, checks } = await readChecks(deps);
        return answer(status === 'down' ? 503 : 200, { status, checks });
      },
      getSystem: async (_input, { actor }) => {
        const state = await readChecks(deps);
        const [mail, staff] = await deps.db.asStaff(actor, (tx) => Promise.all([deps.countMail(tx), deps.countStaff(tx)]));
        return {
          ...state,
          mail: { ...mail, configured: state.checks.mail !== 'disabled' },
          staff: { ...staff, secondStepRequired: deps.staffMfaRequired },
          configuration: deps.configuration,
        };
      },
    }),
  };
}

async function readChecks(deps: HealthDeps) {
  const [up, queueDepth, engine, mail, scanner] = await Promise.all([
    deps.db.isUp(DATABASE_TIMEOUT_MS),
    deps.queueDepth(),
    deps.engine(),
    deps.mail(),
    deps.scanner?.(),
  ]);
  const database: Check = up ? 'ok' : 'down';
  const queue: Check = queueDepth === null ? 'down' : queueDepth > QUEUE_DEGRADED_AT || deps.hasRunnerEnded() ? 'degraded' : 'ok';
  const checks = { database, queue, engine, mail, ...(scanner === undefined ? {} : { scanner }) };
  return { status: overall(checks), checks, queueDepth };
}

/** Down without the database; degraded without the engine, when executions wait, and without the scanner, when files are refused. */
function overall(checks: Record<'database' | 'queue' | 'engine' | 'mail', Check> & { scanner?: Check }): Check {
  const { database, queue, engine, mail, scanner } = checks;
  if (database === 'down' || queue === 'down') return 'down';
  return [queue, engine, mail, scanner].some((check) => check === 'degraded' || check === 'down') ? 'degraded' : 'ok';
}
