import type { ConversationStatus, Locale, MessageAuthor } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { HistoryMessage } from '../store-turn.ts';
import { HISTORY_MAX, LEASE_MS } from '../turns/store.ts';

export type Received = {
  /** The id that the inbox knows; the visitor never gets it. */
  conversationId: string;
  messageId: string;
  /** The same message had arrived before. */
  isRepeat: boolean;
  status: ConversationStatus;
  humanName: string | null;
  turnId: string | null;
  history: HistoryMessage[] | null;
};

/** Stores a visitor's message and begins its turn. Undefined: the key is not that of a conversation of this chatbot. */
export async function receiveMessage(
  tx: Tx,
  worker: string,
  message: {
    visitorKey: string;
    chatbotId: string;
    clientId: string;
    isFirst: boolean;
    clientMessageId: string | null;
    text: string;
    origin: string;
    /** In which the visitor is addressed. */
    locale: Locale;
    /** Key of the visitor's network. */
    visitor: string;
  },
): Promise<Received | undefined> {
  const [row] = await runStatement<'conversations_receive', Received>(tx, {
    name: 'conversations_receive',
    text: 'select * from receive_visitor_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    values: [
      message.visitorKey,
      message.chatbotId,
      message.clientId,
      message.isFirst,
      message.clientMessageId,
      message.text,
      message.origin,
      message.locale,
      worker,
      LEASE_MS,
      HISTORY_MAX,
      message.visitor,
    ],
  });
  return row;
}

export type PublicMessageRow = {
  id: string;
  author: MessageAuthor;
  authorName: string;
  content: string;
  passages: { title: string; excerpt: string }[];
  clientMessageId: string | null;
  turnId: string | null;
  at: Date;
};

export type PublicView = {
  /** The id that the inbox knows. */
  id: string;
  status: ConversationStatus;
  humanName: string | null;
  messages: PublicMessageRow[];
  /** A reply is under way. */
  isAnswering: boolean;
};

/** Reads a visitor's conversation with its newest messages after one of them, oldest first; undefined when the key is of none of this chatbot. */
export async function readPublic(
  tx: Tx,
  of: { chatbotId: string; visitorKey: string },
  after: string | null,
  most: number,
): Promise<PublicView | undefined> {
  const [row] = await runStatement<'conversations_read_public', PublicView>(tx, {
    name: 'conversations_read_public',
    text: `select c.id, c.status, nullif(c.assigned_name, '') as human_name,
        exists (select from conversation_turn t where t.conversation_id = c.id and t.finished_at is null) as is_answering,
        coalesce((select json_agg(json_build_object('id', m.id, 'author', m.author, 'authorName', m.author_name, 'content', m.content, 'passages', m.passages,
            'clientMessageId', m.client_message_id, 'turnId', m.turn_id, 'at', m.at) order by m.id)
          from (select * from conversation_message where conversation_id = c.id and ($3::uuid is null or id > $3) order by id desc limit $4) m), '[]') as messages
      from conversation c where c.visitor_key = $1 and c.chatbot_id = $2`,
    values: [of.visitorKey, of.chatbotId, after, most],
  });
  return row;
}

export type ReplyState = { status: ConversationStatus; isPending: boolean; reply: PublicMessageRow | null };

/** Reads what became of a visitor's message: the reply of the turn that answers it, or whether that is still to come. */
export async function readReply(tx: Tx, conversationId: string, messageId: string): Promise<ReplyState | undefined> {
  const [row] = await runStatement<'conversations_read_reply', ReplyState>(tx, {
    name: 'conversations_read_reply',
    text: `select c.status,
        case when t.id is null then exists (select from conversation_turn o where o.conversation_id = c.id and o.finished_at is null)
          else t.finished_at is null end as is_pending,
        (select json_build_object('id', m.id, 'author', m.author, 'authorName', m.author_name, 'content', m.content, 'passages', m.passages,
            'clientMessageId', m.client_message_id, 'turnId', m.turn_id, 'at', m.at)
          from conversation_message m where m.turn_id = t.id and m.author = 'bot') as reply
      from conversation c left join lateral (
        select t.id, t.finished_at from conversation_turn t where t.conversation_id = c.id and t.upto_message_id >= $2 order by t.id limit 1) t on true
      where c.id = $1`,
    values: [conversationId, messageId],
  });
  return row;
}
