import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { Clock } from '#platform/clock.ts';
import type { ComputePool } from '#platform/compute/compute-pool.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Log } from '#platform/log.ts';
import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { MailLinks, PreviewMail, QueueMail } from '#modules/1-ledger/mail/index.ts';

export type ReportsDeps = {
  db: Database;
  clock: Clock;
  log: Log;
  compute: ComputePool;
  files: FileStore;
  /** Counts reports that are sent by hand. */
  limits: Pick<RateLimits<'reportSend'>, 'require'>;
  mail: { queueMail: QueueMail; previewMail: PreviewMail; links: MailLinks };
  catalog: readonly Template[];
  /** Providers that the platform offers a key of its own for. */
  platformProviders: readonly Provider[];
};
