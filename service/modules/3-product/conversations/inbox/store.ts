import type { ConversationStatus, HandoffReason, MessageAuthor } from '@partner-portal/contract/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { query } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Lists of conversations. `partnerId` is null only for staff who list those of all partners. */
export type ConversationFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  status?: string | undefined;
  waiting?: boolean | undefined;
  unread?: boolean | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export type ConversationRow = {
  id: string;
  partnerId: string;
  chatbotId: string;
  clientId: string;
  clientName: string;
  visitorLabel: string;
  origin: string;
  status: ConversationStatus;
  handoffReason: HandoffReason | null;
  assignedTo: string | null;
  assignedName: string;
  lastMessageText: string;
  lastMessageAuthor: MessageAuthor | null;
  isUnread: boolean;
  waitingSince: Date | null;
  startedAt: Date;
  lastMessageAt: Date;
};

/** What is older counts as read, so that an unread filter never scans years. */
const UNREAD_DAYS = 30;

const COLUMNS = sql`c.id, c.partner_id, c.chatbot_id, c.client_id, (select k.name from client k where k.id = c.client_id) as client_name, c.visitor_label, c.origin, c.status, c.handoff_reason, c.assigned_to, c.assigned_name,
  c.last_message_text, c.last_message_author, c.waiting_since, c.started_at, c.last_message_at`;
/** Compared with what the user has read, and with when the user joined. */
const UNREAD = sql`c.last_message_at > greatest(coalesce(r.read_at, u.created_at), now() - make_interval(days => ${sql.lit(UNREAD_DAYS)}))`;
/**
 * A bound that an index answers: nothing that is older than its reader is unread, unless they marked something so, or read something up to an older message. The user
 * of a view-as session is hidden by row-level security: the days alone count then.
 */
const sinceUser = (userId: string): RawBuilder<unknown> =>
  sql`c.last_message_at > greatest(now() - make_interval(days => ${sql.lit(UNREAD_DAYS)}), (select x.created_at from app_user x
    where x.id = ${userId}::uuid and not exists (select from conversation_read o where o.user_id = x.id and o.read_at < x.created_at)))`;
const readBy = (userId: string): RawBuilder<unknown> =>
  sql`left join app_user u on u.id = ${userId}::uuid left join conversation_read r on r.conversation_id = c.id and r.user_id = ${userId}::uuid`;

function conditions(filters: ConversationFilters): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (filters.partnerId !== null) all.push(sql`c.partner_id = ${filters.partnerId}::uuid`);
  if (filters.clientId !== undefined) all.push(sql`c.client_id = ${filters.clientId}::uuid`);
  if (filters.status !== undefined) all.push(sql`c.status = ${filters.status}`);
  if (filters.waiting !== undefined) all.push(filters.waiting ? sql`c.waiting_since is not null` : sql`c.waiting_since is null`);
  if (filters.unread === true) all.push(sql`${UNREAD} and c.last_message_at > now() - make_interval(days => ${sql.lit(UNREAD_DAYS)})`);
  if (filters.unread === false) all.push(sql`not coalesce(${UNREAD}, false)`);
  if (filters.from !== undefined) all.push(sql`c.last_message_at >= ${filters.from}::timestamptz`);
  if (filters.to !== undefined) all.push(sql`c.last_message_at < ${filters.to}::timestamptz`);
  return sql.join(all, sql` and `);
}

export type Position = { at: string; id: string };

/** Returns one page, the one with the newest message first; `among`: only those, of a search. */
export async function listConversationRows(
  tx: Tx,
  userId: string,
  filters: ConversationFilters,
  { before, among, limit }: { before: Position | null; among: readonly string[] | null; limit: number },
): Promise<ConversationRow[]> {
  const { rows } = await query<
    'inbox_list',
    ConversationRow
  >`${PLANNED_ANEW}select ${COLUMNS}, coalesce(${UNREAD}, false) as is_unread from (
      select c.* from conversation c ${filters.unread === undefined ? sql`` : readBy(userId)}
      where ${conditions(filters)} ${filters.unread === true ? sql`and ${sinceUser(userId)}` : sql``} ${among === null ? sql`` : sql`and c.id = any(${[...among]}::uuid[])`}
        ${before === null ? sql`` : sql`and (c.last_message_at, c.id) < (${before.at}::timestamptz, ${before.id}::uuid)`}
      order by c.last_message_at desc, c.id desc limit ${limit}
    ) c ${readBy(userId)} order by c.last_message_at desc, c.id desc`.execute(tx);
  return rows;
}

/** Newest messages that a search compares. */
const SEARCHED_MATCHES = 1_000;

/** Returns the ids of conversations with all words in one message, or whose visitor's label starts so. */
export async function searchConversationIds(
  tx: Tx,
  filters: ConversationFilters,
  { words, label }: { words: string; label: string },
): Promise<string[]> {
  const { rows } = await query<
    'inbox_search',
    { id: string }
  >`select id from search_conversations(${filters.partnerId}::uuid, ${filters.clientId ?? null}::uuid, ${words}, ${label}, ${SEARCHED_MATCHES}) as id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Returns conversations by their ids, as this user sees them. */
export async function findConversationRows(
  tx: Tx,
  userId: string,
  ids: readonly string[],
  filters: ConversationFilters,
): Promise<ConversationRow[]> {
  const { rows } = await query<
    'inbox_find',
    ConversationRow
  >`${PLANNED_ANEW}select ${COLUMNS}, coalesce(${UNREAD}, false) as is_unread from conversation c ${readBy(userId)}
    where c.id = any(${[...ids]}::uuid[]) and ${conditions(filters)} order by c.updated_at`.execute(tx);
  return rows;
}

/** Returns what changed since a time, oldest first, for a stream that resumes. */
export async function listConversationsSince(
  tx: Tx,
  userId: string,
  filters: ConversationFilters,
  since: Date,
  limit: number,
): Promise<ConversationRow[]> {
  const { rows } = await query<
    'inbox_list_since',
    ConversationRow
  >`${PLANNED_ANEW}select ${COLUMNS}, coalesce(${UNREAD}, false) as is_unread from conversation c ${readBy(userId)}
    where ${conditions(filters)} and c.updated_at >= ${since}::timestamptz order by c.updated_at desc limit ${limit}`.execute(tx);
  return rows.reverse();
}

/** Conversations that are counted: the newest. */
const COUNTED = 1_000;
const COUNT_MAX = 100;

export async function countInbox(tx: Tx, userId: string, filters: ConversationFilters): Promise<{ unread: number; waiting: number }> {
  const { rows } = await query<'inbox_counts', { unread: number; waiting: number }>`${PLANNED_ANEW}select
      (select count(*)::int from (select 1 from (
          select c.id, c.last_message_at from conversation c
          where ${conditions(filters)} and ${sinceUser(userId)}
          order by c.last_message_at desc limit ${COUNTED}) c
        ${readBy(userId)}
        where ${UNREAD} limit ${COUNT_MAX}) few) as unread,
      (select count(*)::int from (select 1 from conversation c where ${conditions({ ...filters, waiting: true })} limit ${COUNT_MAX}) few) as waiting`.execute(
    tx,
  );
  return rows[0] ?? { unread: 0, waiting: 0 };
}

/** Returns whether the number that agents would text for this visitor is on the stop list. */
export async function isVisitorOnStopList(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await query<'inbox_stop_list', { isOn: boolean }>`select exists (select from conversation c join opt_out o
      on o.partner_id = c.partner_id and (o.client_id = c.client_id or o.client_id is null) and o.contact = c.visitor_number
      where c.id = ${id}::uuid) as is_on`.execute(tx);
  return rows[0]?.isOn ?? false;
}
