import { isRefusedForAll } from '@partner-portal/core/execution/acceptance.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Acceptance, Acceptor } from '../accept/accept.ts';
import { keyOfRerunOnce, sourceOfRerun } from './rerun-execution.ts';
import { queueRerun } from './rerun-job.ts';
import {
  deleteOldRequests,
  findOpenRequest,
  finishRequest,
  listPartnersWithOpen,
  listPortion,
  type PortionItem,
  refuseWaiting,
  settleItems,
} from './store-reruns.ts';

export type PortionDeps = { db: Database; acceptor: Acceptor; clock: Clock };

/** Inputs in memory at the same time, by number and bytes. Two of the largest take about 80 ms of one core. */
const PORTION = { itemsMax: 8, bytesMax: 512 * 1024 };
/** Until originals that were not decided, because the process held too much of the partner's events, are offered again. */
const BUSY_MS = 1_000;

type Outcome = { id: string; reason: string | null; refusal: Acceptance | null; isNew: boolean };

/** The result of a portion; `waiting` originals are left, for which the job is enqueued. */
export type Portion = { started: number; refused: readonly Outcome[]; waiting: number };

/**
 * Reruns the next originals of a request. Each has an Idempotency-Key, so one that was started before a crash is not started again. What became
 * of them and the job of the next portion commit together.
 */
export async function rerunPortion(deps: PortionDeps, partnerId: string, requestId: string): Promise<Portion> {
  const tenant = { kind: 'tenant', partnerId, clientId: null } as const;
  const items = await deps.db.asTenant(tenant, (tx) => listPortion(tx, requestId, PORTION));
  const outcomes = (await Promise.all(items.map((item) => rerunOne(deps, partnerId, item)))).filter((one) => one !== null);
  const forAll = outcomes.find(({ reason }) => reason !== null && isRefusedForAll(reason))?.reason ?? null;
  const waiting = await deps.db.asTenant(tenant, async (tx) => {
    await settleItems(tx, outcomes);
    if (forAll !== null) await refuseWaiting(tx, requestId, forAll);
    const left = await finishRequest(tx, requestId);
    const runAt = outcomes.length === 0 ? new Date(deps.clock.now().getTime() + BUSY_MS) : undefined;
    if (left > 0) await queueRerun(tx, partnerId, runAt);
    return left;
  });
  return {
    started: outcomes.filter((one) => one.isNew).length,
    refused: outcomes.filter((one) => one.reason !== null),
    waiting,
  };
}

/** Returns null when it was not decided: it stays waiting. */
async function rerunOne(deps: PortionDeps, partnerId: string, item: PortionItem): Promise<Outcome | null> {
  const { id, workflowId, source, input, audit } = item;
  if (item.hasSucceeded) return { id, reason: 'succeeded_since', refusal: null, isNew: false };
  if (input === null) return { id, reason: item.isTooLarge ? 'too_large' : 'input_expired', refusal: null, isNew: false };
  const result = await deps.acceptor.accept({
    workflowId,
    source: sourceOfRerun(source),
    body: { input: input as { [key: string]: Json } }, // stored as JSON when it was accepted
    idempotencyKey: keyOfRerunOnce(id),
    rerunOf: id,
    scope: { partnerId, clientId: null },
    audit: { ...audit, changes: { rerunOf: [null, id] } },
  });
  const { outcome } = result;
  if (outcome === 'busy' || outcome === 'retry') return null;
  if (outcome === 'accepted' || outcome === 'replayed') return { id, reason: null, refusal: null, isNew: outcome === 'accepted' };
  return { id, reason: outcome, refusal: result, isNew: false };
}

/** The job: one portion of the partner's oldest request. */
export async function rerunNext(deps: PortionDeps, partnerId: string): Promise<void> {
  const requestId = await deps.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) => findOpenRequest(tx, partnerId));
  if (requestId === undefined) return;
  const { waiting } = await rerunPortion(deps, partnerId, requestId);
  // The next request of the same partner has its turn with the next job.
  if (waiting === 0) await deps.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) => queueIfOpen(tx, partnerId));
}

async function queueIfOpen(tx: Parameters<typeof findOpenRequest>[0], partnerId: string): Promise<void> {
  if ((await findOpenRequest(tx, partnerId)) !== undefined) await queueRerun(tx, partnerId);
}

/** Enqueues the job of each partner with an open request again, for those that lost it in a crash. */
export function sweepReruns(deps: Pick<PortionDeps, 'db'>): Promise<void> {
  return deps.db.asSystem('sweep', async (tx) => {
    for (const partnerId of await listPartnersWithOpen(tx)) await queueRerun(tx, partnerId);
  });
}

/** Deletes requests that no longer keep their originals from being rerun. */
export function forgetReruns(deps: Pick<PortionDeps, 'db'>): Promise<void> {
  return deps.db.asSystem('sweep', deleteOldRequests);
}
