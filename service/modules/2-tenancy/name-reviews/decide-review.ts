import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { NameReviewDeps } from './deps.ts';
import { decideReview, findReview } from './store.ts';

/** Approves or rejects a name, also one that was decided otherwise before. An approval sends the mail that waits for no other name. */
export function decideName(
  { db, mail }: NameReviewDeps,
  caller: RequestContext,
  id: string,
  { status, note }: { status: 'approved' | 'rejected'; note: string | null },
) {
  const { actor, now } = caller;
  return db.asStaff(actor, async (tx) => {
    const review = await findReview(tx, id);
    if (!review) return refuse('not_found');
    if (!(await decideReview(tx, { id, name: review.name, status, note, by: actor.userId, at: now })))
      return refuse('invalid_state', { detail: `This name is already ${status}, or it changed meanwhile.` });
    const sent = status === 'approved' ? await mail.releaseNamed(tx, review.partnerId) : 0;
    await recordAudit(tx, {
      partnerId: review.partnerId,
      clientId: review.clientId,
      actor,
      action: status === 'approved' ? 'name_review.approved' : 'name_review.rejected',
      target: { type: 'name_review', id, label: review.name },
      changes: {
        status: [review.status, status],
        ...(note === null ? {} : { internalNotes: [null, note] }),
        ...(sent > 0 ? { mailsSent: [null, sent] } : {}),
      },
      origin: originOf(caller),
    });
    return { ...((await findReview(tx, id)) ?? refuse('not_found')), mailsSent: sent };
  });
}
