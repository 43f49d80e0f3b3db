import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { LEASE_SECONDS, writeConnection } from './bind-connection.ts';
import type { CredentialsDeps } from '../deps.ts';
import { type BindingProps, openForBinding, removedProps } from '../vault/open-credential.ts';
import {
  type ClaimedConnection,
  claimConnection,
  listOverdueConnections,
  postponeConnection,
  settleConnection,
} from '../store-connections.ts';
import { queueSync } from '../sync-job.ts';

/**
 * States of a connection: pending (a save made it due) → claimed by one writer → written to the engine → live. A save in between raises the
 * revision, and the writer repeats with the newer value. An engine failure leaves it pending with a later due time; after a crash the lease
 * expires and the sweep enqueues it again.
 */
const ROUNDS_MAX = 5;
const SWEEP_BATCH = 500;
const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 15 * 60_000;

type Deps = Pick<CredentialsDeps, 'db' | 'engine' | 'clock' | 'sealing' | 'platformKeys' | 'baseUrls' | 'callbackSecret'>;
type Value = { credentialId: string | null; sourceMode: SourceMode | null; props: BindingProps };

/** Job `credentials.sync`. Repeated or concurrent runs end with the newest value in the engine. */
export async function syncConnection(deps: Deps, connectionId: string, context: JobContext): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const work = await deps.db.asSystem('credentials', async (tx) => {
      const claimed = await claimConnection(tx, connectionId, LEASE_SECONDS);
      if (!claimed) return undefined;
      const opened = await openForBinding(deps, tx, claimed, { type: 'system', id: null });
      const value: Value = opened ?? { credentialId: null, sourceMode: null, props: removedProps(deps.baseUrls, claimed.provider) };
      return { claimed, value };
    });
    if (!work) return;
    if ((await pushValue(deps, work.claimed, work.value, context)) !== 'again') return;
  }
}

async function pushValue(
  deps: Deps,
  claimed: ClaimedConnection,
  value: Value,
  context: JobContext,
): Promise<'live' | 'again' | 'gone' | 'later'> {
  try {
    const written = await writeConnection(deps, claimed, value.props);
    return await deps.db.asSystem('credentials', (tx) =>
      settleConnection(tx, claimed, { ...written, credentialId: value.credentialId, sourceMode: value.sourceMode }),
    );
  } catch (error) {
    const waitMs = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.min(claimed.attempts - 1, 10));
    const dueAt = new Date(deps.clock.now().getTime() + waitMs);
    context.log.warn({ err: error, connectionId: claimed.id, provider: claimed.provider, dueAt }, 'connection saved, not yet live');
    await deps.db.asSystem('credentials', async (tx) => {
      await postponeConnection(tx, claimed, dueAt);
      await queueSync(tx, [claimed.id], dueAt);
    });
    return 'later';
  }
}

/** Cron `credentials.sweep`: enqueues due connections that have no job. */
export async function sweepConnections(deps: Pick<CredentialsDeps, 'db'>, context: JobContext): Promise<void> {
  const found = await deps.db.asSystem('sweep', async (tx) => {
    const ids = await listOverdueConnections(tx, SWEEP_BATCH);
    await queueSync(tx, ids);
    return ids.length;
  });
  if (found > 0) context.log.info({ found, capped: found === SWEEP_BATCH }, 'enqueued overdue connections again');
}
