import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';

/** Runs one provisioning attempt for one agent, with the approver as acting user. A failed attempt is returned, not thrown. */
export type Provision = (
  actor: Actor,
  request: { partnerId: string; clientId: string; mode: 'provision' | 'repair'; templateNames: readonly string[] },
) => Promise<{
  attemptId: string;
  status: string;
  instance: { errorPublic: string | null };
  steps: readonly { status: string; errorPublic: string | null }[];
}>;

export type AgentRequestsDeps = {
  db: Database;
  clock: Clock;
  cursors: Cursors;
  log: Log;
  notices: Pick<Notices, 'subscribe'>;
  /** Base of links in events. */
  baseUrl: string;
  templateOf: (name: string) => Template | undefined;
  /** Language model providers with a platform key. */
  platformProviders: readonly Provider[];
  provision: Provision;
  /** True while the process stops: an attempt that fails now was interrupted and continues after the restart. */
  isStopping: () => boolean;
};
