import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { auditEndpoint } from '../endpoints/audit-endpoint.ts';
import type { ManageDeps } from '../deps.ts';
import { failQueued } from '../queue.ts';
import { requireEndpoint } from '../endpoints/read-endpoints.ts';
import { queueRecovery } from './recover-job.ts';
import { lockOwn, requireActive } from '../delivery/resend.ts';
import { countMissed, endRecovery, findRecovery, insertRecovery, listRecoveries, lockRecovery, type Window } from '../store-recoveries.ts';

type Deps = Pick<ManageDeps, 'db'>;
const LISTED = 20;

export type RecoverInput = { since: string; until?: string | undefined; dryRun: boolean };

/**
 * Starts a recovery that redelivers what the endpoint missed in a window of time; a dry run only counts. One recovery per endpoint at a time.
 * `isStarted` is false after a dry run and when nothing was missed.
 */
export async function recoverDeliveries(deps: Deps, caller: RequestContext, id: string, input: RecoverInput) {
  const window = readWindow(input, caller.now);
  const { partnerId, userId } = caller.actor;
  return deps.db.asTenant(caller.actor, async (tx) => {
    const endpoint = await lockOwn(tx, caller, id);
    const missed = await countMissed(tx, { partnerId, endpointId: id }, window);
    if (input.dryRun) return { isStarted: false, answer: { ...missed, recovery: null } };
    requireActive(endpoint);
    if (missed.count === 0) return { isStarted: false, answer: { ...missed, recovery: null } };
    const recoveryId = await insertRecovery(tx, { partnerId, endpointId: id, ...window, total: missed.count, requestedBy: userId });
    if (recoveryId === undefined)
      return refuse('already_pending', { detail: 'A recovery of this endpoint is already running. Wait until it ends, or cancel it.' });
    await queueRecovery(tx, { id: recoveryId, partnerId });
    const span = `${window.since.toISOString()} – ${window.until.toISOString()}`;
    await auditEndpoint(tx, caller, endpoint, 'webhook.recovery_started', { window: [null, span], events: [null, missed.count] });
    return { isStarted: true, answer: { ...missed, recovery: await mustFind(tx, partnerId, id, recoveryId) } };
  });
}

function readWindow({ since, until }: RecoverInput, now: Date): Window {
  const window = { since: new Date(since), until: until === undefined ? now : new Date(until) };
  if (window.since >= window.until)
    refuseField(
      until === undefined ? 'since' : 'until',
      'bad_window',
      'The window ends before it begins. Choose a time in the past, and a later end.',
    );
  return window;
}

/** The newest recoveries of an endpoint. */
export async function readRecoveries(deps: Deps, actor: Actor, endpointId: string) {
  return deps.db.asTenant(actor, async (tx) => {
    await requireEndpoint(tx, actor, endpointId);
    return listRecoveries(tx, { partnerId: actor.partnerId, endpointId }, LISTED);
  });
}

/** Cancels a recovery. Its queued deliveries fail with the reason `cancelled`; those in flight or sent stay. */
export async function cancelRecovery(deps: Deps, caller: RequestContext, id: string, recoveryId: string) {
  const { partnerId } = caller.actor;
  return deps.db.asTenant(caller.actor, async (tx) => {
    const endpoint = await lockOwn(tx, caller, id);
    const recovery = await lockRecovery(tx, partnerId, recoveryId);
    if (recovery?.endpointId !== id) return refuse('not_found');
    if (recovery.status !== 'running') return refuse('invalid_state', { detail: `This recovery is already ${recovery.status}.` });
    await endRecovery(tx, recoveryId, 'cancelled');
    const withdrawn = await failQueued(tx, { partnerId, endpointId: id, recoveryId }, 'cancelled');
    await auditEndpoint(tx, caller, endpoint, 'webhook.recovery_cancelled', {
      status: ['running', 'cancelled'],
      withdrawn: [null, withdrawn],
    });
    return mustFind(tx, partnerId, id, recoveryId);
  });
}

async function mustFind(tx: TenantTx, partnerId: string, endpointId: string, id: string) {
  const row = await findRecovery(tx, { partnerId, endpointId }, id);
  if (!row) throw new Error('A recovery vanished.');
  return row;
}
