import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import type { MailDeps } from './deps.ts';
import { MAIL_COLUMNS, readMail, readMails, retryMail } from './log/read-mail.ts';

export function mailHandlers(deps: MailDeps) {
  return defineHandlers({
    listMail: ({ query }, { actor }) => readMails(deps, actor, query),
    exportMail: ({ query }, { actor, now }) =>
      csvOfList({ name: 'mail', now }, MAIL_COLUMNS, (cursor) => readMails(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    getMail: ({ params }, context) => readMail(deps, context, params.id),
    retryMail: ({ params }, context) => retryMail(deps, context, params.id),
  });
}
