import type { ConversationStatus, HandoffReason, MessageAuthor } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Place } from '#platform/db/place.ts';

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
  updatedAt: Date;
};

/** Older messages count as read, so that an unread filter never scans years. */
const UNREAD_DAYS = 30;

const COLUMNS = `c.id, c.partner_id, c.chatbot_id, c.client_id, (select k.name from client k where k.id = c.client_id) as client_name, c.visitor_label, c.origin, c.status, c.handoff_reason, c.assigned_to, c.assigned_name,
  c.last_message_text, c.last_message_author, c.waiting_since, c.started_at, c.last_message_at, c.updated_at`;
const UNREAD_FROM = `now() - make_interval(days => ${UNREAD_DAYS})`;
/** Compared with what the user has read, and with when the user joined. */
const IS_UNREAD = `coalesce($1::uuid is not null and c.last_message_at > greatest(coalesce(r.read_at, u.created_at), ${UNREAD_FROM}), false)`;
/** A bound that an index answers: nothing that is older than its reader is unread, unless they marked something so, or read something up to an older message. */
const SINCE_USER = `c.last_message_at > greatest(${UNREAD_FROM}, (select x.created_at from app_user x
    where x.id = $1::uuid and not exists (select from conversation_read o where o.user_id = x.id and o.read_at < x.created_at)))`;
const READ_BY = `left join app_user u on u.id = $1::uuid left join conversation_read r on r.conversation_id = c.id and r.user_id = $1`;

/** The filters as `valuesOf` numbers them, but for whether the user has read a conversation. */
const MATCHING = `($2::uuid is null or c.partner_id = $2) and ($3::uuid is null or c.client_id = $3) and ($4::text is null or c.status = $4)
  and ($5::boolean is distinct from true or c.waiting_since is not null) and ($5 is distinct from false or c.waiting_since is null)
  and ($6::timestamptz is null or c.last_message_at >= $6) and ($7::timestamptz is null or c.last_message_at < $7)`;
const MATCHING_READ = `${MATCHING} and ($8::boolean is null or ${IS_UNREAD} = $8) and ($8 is distinct from true or c.last_message_at > ${UNREAD_FROM})`;

/** Null in a view-as session: what its user has read says nothing of the account that is viewed. */
type ReaderId = string | null;
export function readerIdOf({ userId, readOnly }: Pick<Actor, 'userId' | 'readOnly'>): ReaderId {
  return readOnly ? null : userId;
}

/** Returns the user and the filters: the first eight values of a statement. */
function valuesOf(userId: ReaderId, filters: ConversationFilters) {
  const { partnerId, clientId = null, status = null, waiting = null, from = null, to = null, unread = null } = filters;
  return [userId, partnerId, clientId, status, waiting, from, to, unread] as const;
}

const IN_SEARCH = `($9::uuid[] is null or c.id = any($9))`;
/**
 * The page of `before` and `limit`. A conversation that got a message after the first page was read would move before the cursor: it keeps the place
 * that its newest message until `asOf` gives it. A conversation that began later has none.
 */
const pageOf = (listed: string): string => `select ${COLUMNS}, ${IS_UNREAD} as is_unread, c.place from (select * from (
    (select c.*, c.last_message_at as place ${listed} and ${IN_SEARCH} and ($10::timestamptz is null or (c.last_message_at, c.id) < ($10, $11::uuid))
      order by c.last_message_at desc, c.id desc limit $12)
    union all (select c.*, p.place from (select c.* ${listed} and ${IN_SEARCH} and c.last_message_at > $13::timestamptz) c
      cross join lateral (select coalesce((select m.at from conversation_message m where m.conversation_id = c.id and m.at <= $13 order by m.id desc limit 1),
        case when c.started_at <= $13 then c.started_at end) as place) p
      where (p.place, c.id) < ($10, $11) order by p.place desc, c.id desc limit $12)
  ) c order by c.place desc, c.id desc limit $12) c ${READ_BY} order by c.place desc, c.id desc`;

/** `at`: the place of the last row. `asOf`: the time of the newest message when the first page was read; null for a cursor of a version before. */
export type Position = { at: string; id: string; asOf: string | null };

/** Returns one page, the one with the newest message first; `among`: only those, of a search. `place`: the time that a row is listed by. */
export async function listConversationRows(
  tx: Tx,
  userId: ReaderId,
  filters: ConversationFilters,
  { before, among, limit }: { before: Position | null; among: readonly string[] | null; limit: number },
): Promise<(ConversationRow & { place: Date })[]> {
  return runStatement<'inbox_list', ConversationRow & { place: Date }>(tx, {
    name: 'inbox_list',
    prepare: false,
    // What the user has read is joined to the whole list only where it is asked for.
    text:
      filters.unread === undefined
        ? pageOf(`from conversation c where ${MATCHING} and $8::boolean is null`)
        : pageOf(`from conversation c ${READ_BY} where ${MATCHING_READ} and ($8 is distinct from true or ${SINCE_USER})`),
    values: [...valuesOf(userId, filters), among, before?.at ?? null, before?.id ?? null, limit, before?.asOf ?? null],
  });
}

/** Newest messages that a search compares. */
const SEARCHED_MATCHES = 1_000;

/** Returns the ids of conversations with all words in one message, or whose visitor's label starts so. */
export async function searchConversationIds(
  tx: Tx,
  filters: ConversationFilters,
  { words, label }: { words: string; label: string },
): Promise<string[]> {
  const rows = await runStatement<'inbox_search', { id: string }>(tx, {
    name: 'inbox_search',
    text: `select id from search_conversations($1, $2, $3, $4, $5) as id`,
    values: [filters.partnerId, filters.clientId ?? null, words, label, SEARCHED_MATCHES],
  });
  return rows.map(({ id }) => id);
}

/** Returns conversations by their ids, as this user sees them. */
export async function findConversationRows(
  tx: Tx,
  userId: ReaderId,
  ids: readonly string[],
  filters: ConversationFilters,
): Promise<ConversationRow[]> {
  return runStatement<'inbox_find', ConversationRow>(tx, {
    name: 'inbox_find',
    prepare: false,
    text: `select ${COLUMNS}, ${IS_UNREAD} as is_unread from conversation c ${READ_BY}
      where c.id = any($9::uuid[]) and ${MATCHING_READ} order by c.updated_at`,
    values: [...valuesOf(userId, filters), ids],
  });
}

/** Returns what changed after a place, for a stream that resumes. */
export async function listConversationsAfter(
  tx: Tx,
  userId: ReaderId,
  filters: ConversationFilters,
  after: Place,
  limit: number,
): Promise<ConversationRow[]> {
  return runStatement<'inbox_list_after', ConversationRow>(tx, {
    name: 'inbox_list_after',
    prepare: false,
    text: `select ${COLUMNS}, ${IS_UNREAD} as is_unread from conversation c ${READ_BY}
      where ${MATCHING_READ} and (c.updated_at, c.id) > ($9::timestamptz, $10::uuid) order by c.updated_at, c.id limit $11`,
    values: [...valuesOf(userId, filters), after.time, after.id, limit],
  });
}

/** Conversations that are counted: the newest. */
const COUNTED = 1_000;
const COUNT_MAX = 100;

export async function countInbox(
  tx: Tx,
  userId: ReaderId,
  scope: Pick<ConversationFilters, 'partnerId' | 'clientId'>,
): Promise<{ unread: number; waiting: number }> {
  const [row] = await runStatement<'inbox_counts', { unread: number; waiting: number }>(tx, {
    name: 'inbox_counts',
    prepare: false,
    text: `select
        (select count(*)::int from (select 1 from (
            select c.id, c.last_message_at from conversation c
            where ($2::uuid is null or c.partner_id = $2) and ($3::uuid is null or c.client_id = $3) and ${SINCE_USER}
            order by c.last_message_at desc limit ${COUNTED}) c
          ${READ_BY}
          where ${IS_UNREAD} limit ${COUNT_MAX}) few) as unread,
        (select count(*)::int from (select 1 from conversation c
          where ($2::uuid is null or c.partner_id = $2) and ($3::uuid is null or c.client_id = $3) and c.waiting_since is not null limit ${COUNT_MAX}) few) as waiting`,
    values: [userId, scope.partnerId, scope.clientId ?? null],
  });
  return row ?? { unread: 0, waiting: 0 };
}

/** Returns whether the number that agents would text for this visitor is on the stop list. */
export async function isVisitorOnStopList(tx: Tx, id: string): Promise<boolean> {
  const [row] = await runStatement<'inbox_stop_list', { isOn: boolean }>(tx, {
    name: 'inbox_stop_list',
    text: `select exists (select from conversation c join opt_out o
        on o.partner_id = c.partner_id and (o.client_id = c.client_id or o.client_id is null) and o.contact = c.visitor_number
        where c.id = $1) as is_on`,
    values: [id],
  });
  return row?.isOn ?? false;
}
