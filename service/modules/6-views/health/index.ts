import { defineHandlers } from '#platform/http/context.ts';
import { answer } from '#platform/http/answer.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';

export type Check = 'ok' | 'degraded' | 'down' | 'disabled';

export type HealthDeps = {
  db: Database;
  /** Jobs that are due and not taken; null when the database does not answer. */
  queueDepth: () => Promise<number | null>;
  /** How the engine does. Never throws, has a timeout of its own. */
  engine: () => Promise<Check>;
  /** Whether mail can be sent: `disabled` without a transport. */
  mail: () => Promise<Check>;
  /** What the mail queue holds. */
  countMail: (tx: SystemTx) => Promise<MailCounts>;
  /** What is to be said about the configuration; settings by name, never a value. */
  configuration: readonly { settings: readonly string[]; state: 'ok' | 'note' | 'warn'; message: string }[];
};
type MailCounts = { queued: number; failed: number; notConfigured: number; sent24h: number; oldestQueuedAt: Date | null };

const DATABASE_TIMEOUT_MS = 2_000;
const QUEUE_DEGRADED_AT = 10_000;

/** Liveness without the database, readiness with everything the service stands on. No addresses, no causes: both are public. */
export function health(deps: HealthDeps) {
  return {
    routes: defineHandlers({
      getHealth: () => ({ status: 'ok' as const }),
      getReadiness: async () => {
        const { status, checks } = await look(deps);
        return answer(status === 'down' ? 503 : 200, { status, checks });
      },
      getSystem: async (_input, { actor }) => {
        const seen = await look(deps);
        const counts = await deps.db.asStaff(actor, deps.countMail);
        return { ...seen, mail: { ...counts, configured: seen.checks.mail !== 'disabled' }, configuration: deps.configuration };
      },
    }),
  };
}

async function look(deps: HealthDeps) {
  const [up, queueDepth, engine, mail] = await Promise.all([
    deps.db.isUp(DATABASE_TIMEOUT_MS),
    deps.queueDepth(),
    deps.engine(),
    deps.mail(),
  ]);
  const database: Check = up ? 'ok' : 'down';
  const queue: Check = queueDepth === null ? 'down' : queueDepth > QUEUE_DEGRADED_AT ? 'degraded' : 'ok';
  const checks = { database, queue, engine, mail };
  return { status: overall(checks), checks, queueDepth };
}

/** Without the database nothing answers; without the engine runs wait, which is degraded, not down. */
function overall({ database, queue, engine, mail }: Record<'database' | 'queue' | 'engine' | 'mail', Check>): Check {
  if (database === 'down' || queue === 'down') return 'down';
  return [queue, engine, mail].some((check) => check === 'degraded' || check === 'down') ? 'degraded' : 'ok';
}
