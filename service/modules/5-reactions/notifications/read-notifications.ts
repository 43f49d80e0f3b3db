import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import type { NotificationsDeps } from './deps.ts';
import { countUnread, listNotifications, markAllRead, markRead, type NotificationRow } from './store.ts';
import { notificationsChanged } from './topic.ts';

export type OwnQuery = { unread?: boolean | undefined; limit: number; cursor?: string | undefined };

/** One page of the caller's notifications, newest first. Staff rows belong to the house partner, so staff read as a tenant too. */
export async function readOwn(deps: NotificationsDeps, actor: Actor, { limit, cursor, unread = false }: OwnQuery) {
  const bound = { list: 'notifications', userId: actor.userId, unread };
  const [before = null] = deps.cursors.open(bound, cursor) ?? [];
  const rows = await deps.db.readAsTenant(actor, (tx) => listNotifications(tx, actor.userId, { unread, before, limit: limit + 1 }));
  return toPage(
    rows,
    limit,
    (row) => [row.id],
    (position) => deps.cursors.seal(bound, position),
  );
}

const columnsIn = (t: Messages['t']): CsvColumns<NotificationRow> => [
  [t('csv.notification'), (row) => row.id],
  [t('csv.when'), (row) => row.createdAt],
  [t('csv.type'), (row) => row.type],
  [t('csv.title'), (row) => row.title],
  [t('csv.text'), (row) => row.body],
  [t('csv.page'), (row) => row.href],
  [t('csv.read'), (row) => row.readAt],
];

/** Exports the list as CSV. */
export async function exportOwn(deps: NotificationsDeps, actor: Actor, query: Pick<OwnQuery, 'unread'>, now: Date): Promise<CsvAnswer> {
  const messages = messagesFor(await deps.db.asTenant(actor, (tx) => readerTag(tx, actor)));
  return csvOfList({ name: 'notifications', now, tag: messages.tag }, columnsIn(messages.t), (cursor) =>
    readOwn(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
  );
}

export async function readUnreadCount(deps: NotificationsDeps, actor: Actor) {
  return { unread: await deps.db.readAsTenant(actor, (tx) => countUnread(tx, actor.userId)) };
}

/** Marks one as read and announces it to the user's other open streams. */
export async function readOne(deps: NotificationsDeps, { actor }: RequestContext, id: string): Promise<void> {
  refuseViewAs(actor);
  await deps.db.asTenant(actor, async (tx) => {
    if (!(await markRead(tx, actor.userId, id))) return refuse('not_found');
    await announce(tx, notificationsChanged, { userIds: [actor.userId] });
  });
}

export async function readAll(deps: NotificationsDeps, { actor }: RequestContext): Promise<void> {
  refuseViewAs(actor);
  await deps.db.asTenant(actor, async (tx) => {
    if ((await markAllRead(tx, actor.userId)) > 0) await announce(tx, notificationsChanged, { userIds: [actor.userId] });
  });
}

/** A view-as session marks nothing as read. */
export function refuseViewAs(actor: Actor): void {
  if (actor.readOnly) refuse('view_as_read_only');
}
