import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { PlanRequestDeps } from './deps.ts';
import { findPlanRequest, lockPlanRequest } from './store.ts';
import { toRecord } from './to-record.ts';

/** Sends the confirmation of an application that waits for staff. Idempotent. */
export function sendApplicationMail({ db, mail }: PlanRequestDeps, caller: RequestContext, id: string) {
  const { actor } = caller;
  return db.asStaff(actor, async (tx) => {
    const request = await lockPlanRequest(tx, id);
    if (!request) return refuse('not_found');
    if (request.mailWaits) {
      await mail.releaseHeld(tx, { partnerId: actor.partnerId, to: request.applicantEmail, kind: 'application_received' });
      const target = { type: 'plan_request', id, label: request.companyName };
      await recordAudit(tx, { partnerId: actor.partnerId, actor, action: 'plan_request.mail_sent', target, origin: originOf(caller) });
    }
    const after = await findPlanRequest(tx, id);
    return after ? toRecord(after, actor) : refuse('not_found');
  });
}
