import type { Template } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';

/** Runs one provisioning attempt for one partner. A failed attempt is returned, not thrown. */
export type Attempt = (
  actor: Actor,
  request: { partnerId: string; mode: 'repair' | 'provision'; templateNames: readonly string[]; installedOnly: boolean },
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
  /** AUTOMATION_PROVISION_TIMEOUT_MINUTES: limit after which an attempt is ended. */
  provisionTimeoutMinutes: number;
  /** True while the process stops: a repair that fails now was interrupted and is tried again after the restart. */
  isStopping: () => boolean;
};
