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
