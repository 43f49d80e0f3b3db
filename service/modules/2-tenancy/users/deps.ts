import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';

export type UsersDeps = { db: Database; cursors: Cursors; mail: MailQueue };
