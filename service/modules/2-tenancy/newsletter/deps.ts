import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';

export type NewsletterDeps = {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  mail: MailQueue;
  limits: RateLimits<'newsletterMail' | 'newsletterOfAddress'>;
};
