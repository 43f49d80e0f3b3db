import { manualChangeObstacle } from '@partner-portal/core/account/account.ts';
import type { Actor } from '#platform/actor.ts';
import type { Clock } from '#platform/clock.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { accountResumed, partnerResumed } from './facts.ts';
import { type PartnersDeps, readPartnerRecord } from './create-partner.ts';
import { endTrial, listEndedTrials, lockPartner, markActive, markSuspended } from './store.ts';

const TRIALS_AT_ONCE = 100;

/** Suspends a partner and thereby its clients. Login keeps working, so that users can read why. */
export async function suspendPartner(deps: PartnersDeps, caller: RequestContext, id: string, reason: string) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const before = await lockPartner(tx, id);
    if (!before) return refuse('not_found');
    if (before.status !== 'active') return refuse('invalid_state', { detail: `This agency is already ${before.status}.` });
    await suspend(tx, deps, { partner: before, reason, cause: 'manual', actor, now });
    await recordAudit(tx, {
      partnerId: id,
      actor,
      action: 'partner.suspended',
      target: { type: 'partner', id, label: before.name },
      changes: { status: [before.status, 'suspended'], suspensionReason: [null, reason] },
      origin: originOf(caller),
    });
    return readPartnerRecord(tx, id);
  });
}

/** Lifts a suspension; the subscription follows. An ended trial continues as an ordinary subscription, on a trial plan as another trial. */
export async function resumePartner(deps: PartnersDeps, caller: RequestContext, id: string) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const before = await lockPartner(tx, id);
    if (!before) return refuse('not_found');
    if (before.status !== 'suspended') return refuse('invalid_state', { detail: `This agency is ${before.status}, not suspended.` });
    const obstacle = manualChangeObstacle(before);
    if (obstacle !== null) return refuse('invalid_state', { detail: obstacle });
    await recordAudit(tx, {
      partnerId: id,
      actor,
      action: 'partner.resumed',
      target: { type: 'partner', id, label: before.name },
      changes: { status: ['suspended', 'active'] },
      origin: originOf(caller),
    });
    await reactivatePartner(tx, id, now);
    return readPartnerRecord(tx, id);
  });
}

/** Makes a suspended partner active again; its subscription follows. */
export async function reactivatePartner(tx: SystemTx, partnerId: string, at: Date): Promise<void> {
  await markActive(tx, partnerId);
  await recordFact(tx, partnerResumed, { partnerId, at });
  await recordFact(tx, accountResumed, { partnerId, clientId: null, at });
}

/** Suspends a partner whose deletion was approved, also when something else suspended it before. The caller publishes the event. */
export async function suspendPartnerForDeletion(
  tx: SystemTx,
  partnerId: string,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await markSuspended(tx, partnerId, { reason, cause: 'deletion_approved', at });
}

/** Ends due trials: the subscription expires and the partner is suspended, each in its own transaction. */
export async function endTrials(deps: PartnersDeps & { clock: Clock }): Promise<number> {
  const now = deps.clock.now();
  const due = await deps.db.asSystem('sweep', (tx) => listEndedTrials(tx, now, TRIALS_AT_ONCE));
  for (const partnerId of due) {
    await deps.db.asSystem('sweep', async (tx) => {
      const partner = await lockPartner(tx, partnerId);
      if (!partner || !(await endTrial(tx, partnerId, now))) return;
      await recordAudit(tx, {
        partnerId,
        actor: { kind: 'system' },
        action: 'partner.trial_ended',
        target: { type: 'partner', id: partnerId, label: partner.name },
        changes: { subscription: ['trialing', 'expired'] },
      });
      if (partner.status === 'active')
        await suspend(tx, deps, { partner, reason: 'The trial has ended.', cause: 'billing', actor: null, now });
    });
  }
  return due.length;
}

/** Suspends the accounts of agencies that did not pay in time or whose subscription ended. An account that is suspended already stays as it is. */
export function suspendForBilling(baseUrl: string) {
  return async (tx: SystemTx, subscriptions: readonly { partnerId: string; reason: string; at: Date }[]): Promise<void> => {
    for (const { partnerId, reason, at } of subscriptions) {
      const partner = await lockPartner(tx, partnerId);
      if (partner?.status !== 'active') continue;
      await suspend(tx, { baseUrl }, { partner, reason, cause: 'billing', actor: null, now: at });
      await recordAudit(tx, {
        partnerId,
        actor: { kind: 'system' },
        action: 'partner.suspended',
        target: { type: 'partner', id: partnerId, label: partner.name },
        changes: { status: ['active', 'suspended'], suspensionReason: [null, reason] },
      });
    }
  };
}

/** Resumes the accounts that billing suspended; other suspensions stay. */
export async function resumeForBilling(tx: SystemTx, subscriptions: readonly { partnerId: string; at: Date }[]): Promise<void> {
  for (const { partnerId, at } of subscriptions) {
    const partner = await lockPartner(tx, partnerId);
    if (partner?.status !== 'suspended' || partner.suspensionCause !== 'billing') continue;
    await markActive(tx, partnerId);
    await recordAudit(tx, {
      partnerId,
      actor: { kind: 'system' },
      action: 'partner.resumed',
      target: { type: 'partner', id: partnerId, label: partner.name },
      changes: { status: ['suspended', 'active'] },
    });
    await recordFact(tx, accountResumed, { partnerId, clientId: null, at });
  }
}

/** Marks the partner as suspended and publishes `account.suspended`. */
async function suspend(
  tx: SystemTx,
  deps: { baseUrl: string },
  order: { partner: { id: string; name: string }; reason: string; cause: 'manual' | 'billing'; actor: Actor | null; now: Date },
): Promise<void> {
  const { partner, reason, cause, actor, now } = order;
  await markSuspended(tx, partner.id, { reason, cause, at: now });
  await publishEvent(tx, {
    partnerId: partner.id,
    type: 'account.suspended',
    data: {
      partnerId: partner.id,
      partnerName: partner.name,
      actor: actor ? { type: 'staff', id: actor.userId } : { type: 'system', id: null },
      portalUrl: `${deps.baseUrl}/dashboard`,
      account: { type: 'partner', id: partner.id, name: partner.name },
      reason: cause,
      suspendedAt: now.toISOString(),
      reactivation: { allowed: true },
    },
  });
}
