import type { ConversationStatus, HandoffReason } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type LockedConversation = {
  id: string;
  partnerId: string;
  clientId: string;
  visitorLabel: string;
  status: ConversationStatus;
  handoffReason: HandoffReason | null;
  assignedTo: string | null;
  assignedName: string;
  waitingSince: Date | null;
  /** By the clock of the database. */
  lockedAt: Date;
  /** Full name of the caller. */
  callerName: string;
  isClientArchived: boolean;
};

/** Locks a conversation in the caller's scope until the transaction ends. */
export async function lockConversation(tx: Tx, id: string, userId: string): Promise<LockedConversation | undefined> {
  const [row] = await runStatement<'inbox_lock', LockedConversation>(tx, {
    name: 'inbox_lock',
    text: `select id, partner_id, client_id, visitor_label, status, handoff_reason, assigned_to, assigned_name, waiting_since, clock_timestamp()::timestamptz(3) as locked_at,
        coalesce((select full_name from app_user where id = $2), '') as caller_name,
        exists (select from client k where k.id = conversation.client_id and k.status = 'archived') as is_client_archived
      from conversation where id = $1 for no key update`,
    values: [id, userId],
  });
  return row;
}

export type NewState = {
  status: ConversationStatus;
  assignedTo: { id: string; name: string } | null;
};

/**
 * Writes who answers a conversation. A conversation that is handed to no person stops waiting; a conversation that is taken over with an unanswered
 * message waits from the time of that message.
 */
export async function setState(tx: Tx, id: string, { status, assignedTo }: NewState): Promise<void> {
  await runStatement(tx, {
    name: 'inbox_set_state',
    text: `update conversation set status = $2, assigned_to = $3, assigned_name = $4,
        was_handed_off = was_handed_off or $2 = 'handed_off',
        handoff_reason = case when $2 <> 'handed_off' then handoff_reason when status = 'handed_off' then handoff_reason else 'taken_over' end,
        waiting_since = case when $2 <> 'handed_off' then null when status = 'open' and last_message_author = 'visitor' then last_message_at else waiting_since end,
        reminded_at = case when $2 = 'handed_off' then reminded_at end,
        closed_at = case when $2 = 'closed' then now() end
      where id = $1`,
    values: [id, status, assignedTo?.id ?? null, assignedTo?.name ?? ''],
  });
}

/** Lets the chatbot answer the visitor's last message, if no one has. Whichever process looks next begins the turn. */
export async function beginTurnIfUnanswered(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, {
    name: 'inbox_begin_turn',
    text: `insert into conversation_turn (partner_id, client_id, conversation_id, upto_message_id)
      select m.partner_id, m.client_id, m.conversation_id, m.id
      from (select * from conversation_message where conversation_id = $1 order by id desc limit 1) m where m.author = 'visitor'
      on conflict (conversation_id) where finished_at is null do nothing`,
    values: [id],
  });
}

/** Longest part of the last message that lists show. */
const PREVIEW_CHARACTERS = 300;

export type NewReply = {
  conversationId: string;
  partnerId: string;
  clientId: string;
  userId: string;
  name: string;
  text: string;
  clientMessageId: string | null;
};

/** Stores a person's reply; its visitor waits no longer. Returns the id of the message. */
export async function insertReply(tx: Tx, reply: NewReply): Promise<string> {
  const [row] = await runStatement<'inbox_insert_reply', { id: string }>(tx, {
    name: 'inbox_insert_reply',
    text: `with added as (
        insert into conversation_message (partner_id, client_id, conversation_id, author, user_id, author_name, content, client_message_id)
        values ($2, $3, $1, 'human', $4, $5, $6, $7) returning id, conversation_id, at
      ), noted as (
        update conversation c set last_message_at = a.at, last_message_author = 'human', last_message_text = left($6, $8), waiting_since = null, reminded_at = null
        from added a where c.id = a.conversation_id)
      select id from added`,
    values: [
      reply.conversationId,
      reply.partnerId,
      reply.clientId,
      reply.userId,
      reply.name,
      reply.text,
      reply.clientMessageId,
      PREVIEW_CHARACTERS,
    ],
  });
  if (!row) throw new Error('A reply was not stored.');
  return row.id;
}

/** Returns the id of the message that was sent with this id before. */
export async function findSent(tx: Tx, conversationId: string, clientMessageId: string): Promise<string | undefined> {
  const [row] = await runStatement<'inbox_find_sent', { id: string }>(tx, {
    name: 'inbox_find_sent',
    text: 'select id from conversation_message where conversation_id = $1 and client_message_id = $2',
    values: [conversationId, clientMessageId],
  });
  return row?.id;
}

/**
 * Notes up to when a user has read a conversation, never less than before; `isRead` false makes it unread again. Returns whose it is; undefined
 * outside the caller's scope.
 */
export async function markRead(
  tx: Tx,
  mark: { id: string; userId: string; isRead: boolean; upTo: string | null },
): Promise<{ partnerId: string; clientId: string } | undefined> {
  const [row] = await runStatement<'inbox_mark_read', { partnerId: string; clientId: string }>(tx, {
    name: 'inbox_mark_read',
    text: `insert into conversation_read as r (conversation_id, user_id, partner_id, client_id, read_at)
      select id, $2, partner_id, client_id, case when $3 then least(coalesce($4::timestamptz, now()), now()) else 'epoch' end from conversation where id = $1
      on conflict (conversation_id, user_id) do update set read_at = case when $3 then greatest(r.read_at, excluded.read_at) else excluded.read_at end
      returning partner_id, client_id`,
    values: [mark.id, mark.userId, mark.isRead, mark.upTo],
  });
  return row;
}

export type Wait = { id: string; partnerId: string; clientId: string; waitingSince: Date; endedAt: Date };

/** Ends the waits of a client's visitors. Returns them. */
export async function endWaitsOf(tx: Tx, clientId: string): Promise<Wait[]> {
  return runStatement<'inbox_end_waits', Wait>(tx, {
    name: 'inbox_end_waits',
    prepare: false,
    text: `with held as materialized (
        select c.id, c.waiting_since from conversation c where c.client_id = $1 and c.waiting_since is not null order by c.id for no key update)
      update conversation c set waiting_since = null from held h where c.id = h.id
      returning c.id, c.partner_id, c.client_id, h.waiting_since, clock_timestamp()::timestamptz(3) as ended_at`,
    values: [clientId],
  });
}
