import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import type { CancelKeyed, MailLinks, QueueMail } from '#modules/1-ledger/mail/index.ts';

export type NotificationsDeps = {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  notices: Notices;
  queueMail: QueueMail;
  cancelKeyed: CancelKeyed;
  links: MailLinks;
};
