import type { Mailer } from '#adapters/mailer.ts';
import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { StrangerLimit } from '@partner-portal/core/mail/strangers.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Log } from '#platform/log.ts';

export type MailDeps = {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  /** Counts mail to addresses without an account. */
  limits: Pick<RateLimits<StrangerLimit>, 'count'>;
  dataKeys: DataKeys;
  files: FileStore;
  /** PUBLIC_BASE_URL: base of links and of relative logo addresses. */
  baseUrl: string;
  /** Null when no transport is configured. */
  mailer: Mailer | null;
};
