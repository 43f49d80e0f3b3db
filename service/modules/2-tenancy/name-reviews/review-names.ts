import { resembledName } from '@partner-portal/core/people/protected-names.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { deleteReviews, type NameToReview, putReviews } from './store.ts';

/** A saved name of an agency (`clientId` null) or of one of its clients, and what it was before. */
export type NameChange = { clientId: string | null; before: string | null; name: string };

/**
 * Notes saved names that resemble a protected one, so that staff look at them; mail to strangers waits meanwhile. What staff save is approved
 * by that. Other names cost no statement.
 */
export async function reviewNames(
  tx: Tx,
  partnerId: string,
  changes: readonly NameChange[],
  actor: Pick<Actor, 'role' | 'userId'>,
): Promise<void> {
  const changed = changes.filter(({ before, name }) => before !== name);
  const noted = changed.flatMap(({ clientId, name }): NameToReview[] => {
    const resembles = resembledName(name);
    return resembles === null ? [] : [{ clientId, name, resembles }];
  });
  const left = changed.filter(
    ({ clientId, before }) => before !== null && resembledName(before) !== null && !noted.some((one) => one.clientId === clientId),
  );
  const leftIds = left.map(({ clientId }) => clientId);
  if (leftIds.length > 0) await deleteReviews(tx, partnerId, leftIds);
  if (noted.length > 0) await openReviews(tx, partnerId, noted, actor.role === 'ADMIN' ? actor.userId : null);
}

/** Stores names to look at and records them. Returns how many are new. */
export async function openReviews(tx: Tx, partnerId: string, names: readonly NameToReview[], approvedBy: string | null): Promise<number> {
  const opened = await putReviews(tx, partnerId, names, approvedBy);
  // The person who saved the name has an entry of their own.
  for (const { id, clientId, name, resembles } of approvedBy === null ? opened : [])
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor: { kind: 'system' },
      action: 'name_review.opened',
      target: { type: 'name_review', id, label: name },
      changes: { resembles: [null, resembles] },
    });
  return opened.length;
}
