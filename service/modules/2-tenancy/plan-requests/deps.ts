import type { CollectionRules } from '@partner-portal/core/billing/collection.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { IssueInvitationDeps } from '#modules/2-tenancy/invitations/index.ts';

/** `collection` holds the days of the payment clock, as for billing. */
export type PlanRequestDeps = IssueInvitationDeps & {
  db: Database;
  cursors: Cursors;
  limits: Pick<RateLimits<'newsletterMail'>, 'count'>;
  collection: Pick<CollectionRules, 'suspensionAfterDays'>;
};
