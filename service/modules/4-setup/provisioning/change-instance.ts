import type { InstanceStatus } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { defineFact, recordFact, recordFacts } from '#platform/facts.ts';
import { claimInstance, type Ended, failInstance, freeOrphans, reapAttempts, settleInstance } from './store-attempts.ts';
import { forgetUnpublished } from './store-workflows.ts';

/** Every change of an instance's status, with the fact that records it. */

export const instanceStatusChanged = defineFact<{ partnerId: string; from: InstanceStatus; to: InstanceStatus }, SystemTx>(
  'automation_instance.status_changed',
);

/** Claims the instance for an attempt. False when another attempt holds it or its status does not allow this. */
export async function claimForAttempt(tx: SystemTx, wanted: Parameters<typeof claimInstance>[1]): Promise<boolean> {
  const { partnerId, to } = wanted;
  const from = await claimInstance(tx, wanted);
  if (from) await recordFact(tx, instanceStatusChanged, { partnerId, from, to });
  return from !== undefined;
}

/** Completes the attempt's hold on the instance. False when the instance was taken from it. */
export async function settleForAttempt(
  tx: SystemTx,
  held: Parameters<typeof settleInstance>[1],
  end: Parameters<typeof settleInstance>[2],
): Promise<boolean> {
  const isSettled = await settleInstance(tx, held, end);
  if (isSettled) await recordFact(tx, instanceStatusChanged, { partnerId: held.partnerId, from: held.from, to: end.to });
  return isSettled;
}

/** Fails the instance with its attempt, unless another attempt runs. Agents that no attempt has published are not installed from then on. */
export async function failForAttempt(
  tx: SystemTx,
  attempt: Parameters<typeof failInstance>[1],
  failure: Parameters<typeof failInstance>[2],
): Promise<void> {
  const from = await failInstance(tx, attempt, failure);
  if (!from) return;
  await forgetUnpublished(tx, [attempt.partnerId]);
  await recordFact(tx, instanceStatusChanged, { partnerId: attempt.partnerId, from, to: 'failed' });
}

/** Ends attempts past their limit and frees instances that no running attempt holds, at most `batch` of each. */
export async function endOverdue(
  tx: SystemTx,
  minutes: number,
  batch: number,
  text: { internal: string; public: string },
): Promise<Ended[]> {
  const ended = [...(await reapAttempts(tx, minutes, batch, text)), ...(await freeOrphans(tx, batch, text))];
  const changes = ended.flatMap(({ partnerId, from }) => (from ? [{ partnerId, from, to: 'failed' as const }] : []));
  if (changes.length > 0)
    await forgetUnpublished(
      tx,
      changes.map((change) => change.partnerId),
    );
  await recordFacts(tx, instanceStatusChanged, changes);
  return ended;
}
