import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { hashOf, LEASE_SECONDS, writeConnection } from './bind-connection.ts';
import { type CredentialsDeps, platformProviders } from '../deps.ts';
import { type BindingProps, openForBinding, platformProps, removedProps } from '../vault/open-credential.ts';
import {
  type ClaimedConnection,
  claimConnection,
  listOverdueConnections,
  listPlatformConnections,
  markOutdatedDue,
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
/** Before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 15 * 60_000;

type Deps = Pick<CredentialsDeps, 'db' | 'engine' | 'clock' | 'sealing' | 'platformKeys' | 'baseUrls' | 'callbackSecret'>;
type SweepDeps = Pick<Deps, 'db' | 'platformKeys' | 'baseUrls' | 'callbackSecret'>;
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

/**
 * Cron `credentials.sweep`: enqueues due connections that have no job, and those in platform mode that have another value than they should: the
 * platform's key or the address of its provider changed, or the key may be used no more, or again. No save made them due. It compares at every run, not only at a
 * start: while processes are replaced, one with the former key may still write.
 */
export async function sweepConnections(deps: SweepDeps, context: JobContext): Promise<void> {
  const outdated = await markOutdated(deps);
  if (outdated > 0) context.log.info({ outdated }, 'enqueued connections that have another key of the platform');
  const found = await deps.db.asSystem('sweep', async (tx) => {
    const ids = await listOverdueConnections(tx, SWEEP_BATCH);
    await queueSync(tx, ids);
    return ids.length;
  });
  if (found > 0) context.log.info({ found, capped: found === SWEEP_BATCH }, 'enqueued overdue connections again');
}

async function markOutdated(deps: SweepDeps): Promise<number> {
  const offered = platformProviders(deps.platformKeys);
  let marked = 0;
  for (let after = NO_ID; ;) {
    const { read, last } = await deps.db.asSystem('sweep', async (tx) => {
      const rows = await listPlatformConnections(tx, offered, after, SWEEP_BATCH);
      const outdated = rows.filter((row) => {
        const props =
          row.isUsable && row.provider !== 'postgres' ? platformProps(deps, row.provider) : removedProps(deps.baseUrls, row.provider);
        return row.valueHash?.equals(hashOf(deps, row, props)) !== true;
      });
      if (outdated.length > 0) {
        const ids = await markOutdatedDue(tx, outdated);
        await queueSync(tx, ids);
        marked += ids.length;
      }
      return { read: rows.length, last: rows.at(-1)?.id };
    });
    if (read < SWEEP_BATCH || last === undefined) return marked;
    after = last;
  }
}
