import type { System } from './system.ts';

/** Adds an open conversation with one message of a visitor, as the widget stores it. */
export async function addVisitorConversation(
  system: Pick<System, 'query'>,
  { partnerId, clientId, label = 'Visitor 7K3D' }: { partnerId: string; clientId: string; label?: string },
): Promise<string> {
  const [row] = await system.query<{ id: string }>(
    `with bot as (
        insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model) values ($1, $2, true, 'Assistant', 'Hello.', 'openai', 'test')
        on conflict (client_id) do update set updated_at = chatbot.updated_at returning id),
      talk as (
        insert into conversation (partner_id, client_id, chatbot_id, visitor_label, last_message_text, last_message_author)
        select $1, $2, id, $3, 'Is parking free?', 'visitor' from bot returning id),
      said as (insert into conversation_message (partner_id, client_id, conversation_id, author, content) select $1, $2, id, 'visitor', 'Is parking free?' from talk)
      select id from talk`,
    [partnerId, clientId, label],
  );
  return row?.id ?? '';
}

type Said = { author: 'visitor' | 'bot'; text: string; passages?: readonly object[]; turnId?: string };

/** Adds a message and announces it, as the saga does. */
export async function say(
  system: Pick<System, 'query'>,
  conversationId: string,
  { author, text, passages = [], turnId }: Said,
): Promise<void> {
  await system.query(
    `with added as (
        insert into conversation_message (partner_id, client_id, conversation_id, author, content, passages, turn_id)
        select partner_id, client_id, id, $2, $3, $4::jsonb, $5::uuid from conversation where id = $1 returning id, at, partner_id, client_id),
      changed as (update conversation c set last_message_at = a.at, last_message_author = $2, last_message_text = $3 from added a where c.id = $1)
      select pg_notify('conversation', json_build_object('partnerId', partner_id, 'clientId', client_id, 'conversationId', $1, 'messageIds', json_build_array(id))::text) from added`,
    [conversationId, author, text, JSON.stringify(passages), turnId ?? null],
  );
}

/** Hands a conversation over: its visitor waits for a person. */
export async function handOver(system: Pick<System, 'query'>, conversationId: string): Promise<void> {
  await system.query(
    `update conversation set status = 'handed_off', was_handed_off = true, handoff_reason = 'visitor', waiting_since = now() where id = $1`,
    [conversationId],
  );
}
