-- The newest messages of a conversation, oldest first, up to one of them.
create or replace function conversation_history(conversation uuid, upto uuid, most int) returns jsonb
language sql stable set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('author', m.author, 'text', m.content) order by m.id), '[]')
  from (select id, author, content from conversation_message where conversation_id = conversation and id <= upto order by id desc limit most) m
$$;
revoke execute on function conversation_history from public;
grant execute on function conversation_history to portal_tenant, portal_system;
