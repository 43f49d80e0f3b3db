import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

export type NameReviewDeps = { db: Database; cursors: Cursors; mail: Pick<MailQueue, 'releaseNamed'> };
