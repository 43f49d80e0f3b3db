import type { DomainLookup } from '#adapters/domain-lookup.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { ServedHosts } from './served-hosts.ts';

export type DomainSettings = {
  /** Target of a domain's CNAME record. */
  cnameTarget: string;
  /** Hours between two checks of a verified domain. */
  checkHours: number;
  /** How many days a verified domain is served without its record. */
  graceDays: number;
};

export type DomainsDeps = {
  db: Database;
  clock: Clock;
  limits: Pick<RateLimits<'domainCheck'>, 'require'>;
  mail: Pick<MailQueue, 'queueMailToAdmins'>;
  lookup: DomainLookup;
  served: ServedHosts;
  settings: DomainSettings;
  /** PUBLIC_BASE_URL, without a trailing slash. */
  baseUrl: string;
};
