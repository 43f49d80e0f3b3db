-- The newest messages of a conversation, oldest first, up to one of the visitor. A reply stands behind the message that its turn answers: the visitor
-- may have written on while it was made, and the next turn reads it before what is still unanswered.
create or replace function conversation_history(conversation uuid, upto uuid, most int) returns jsonb
language sql stable set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('author', m.author, 'text', m.content) order by m.place, m.id), '[]')
  from (select m.id, m.author, m.content, coalesce(t.upto_message_id, m.id) as place
    from conversation_message m left join conversation_turn t on t.id = m.turn_id
    where m.conversation_id = conversation and (m.id <= upto or t.upto_message_id < upto) order by m.id desc limit most) m
$$;
revoke execute on function conversation_history from public;
grant execute on function conversation_history to portal_tenant, portal_system;
