import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { IssueInvitationDeps } from '#modules/2-tenancy/invitations/index.ts';
import { partnerHandlers } from './routes.ts';
import { endTrials } from './suspend-partner.ts';

export { openWorkspace, readPartnerRecord, suggestSlug, trialEnd } from './create-partner.ts';
export { accountResumed, partnerResumed, workspaceOpened } from './facts.ts';
export { findPlan, lockPartner } from './store.ts';
export { reactivatePartner, resumeForBilling, suspendForBilling, suspendPartnerForDeletion } from './suspend-partner.ts';
export { findPartnerRef, type PartnerRef } from './store-ref.ts';

export type PartnersModuleDeps = IssueInvitationDeps & {
  db: Database;
  cursors: Cursors;
  clock: Clock;
};

/** Partners: created and suspended by staff, changed by themselves. */
export function partners(deps: PartnersModuleDeps) {
  return {
    routes: partnerHandlers(deps),
    crons: [defineCron('partners.end-trials', '*/5 * * * *', async () => void (await endTrials(deps)))],
    endTrials: () => endTrials(deps),
  };
}
