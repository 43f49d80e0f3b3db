import type { Template } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';

/** What a roll-out needs of the pipeline: one attempt for one agency. A failed pipeline is an answer. */
export type Attempt = (
  actor: Actor,
  request: { partnerId: string; mode: 'repair' | 'provision'; templateNames: readonly string[] },
) => Promise<{
  attemptId: string;
  status: string;
  instance: { lastError: string | null };
  steps: readonly { status: string; error: string | null }[];
}>;

export type RolloutsDeps = {
  db: Database;
  clock: Clock;
  log: Log;
  templateOf: (name: string) => Template | undefined;
  provision: Attempt;
  /** AUTOMATION_PROVISION_TIMEOUT_MINUTES: after which an attempt is over in any case. */
  provisionTimeoutMinutes: number;
};
