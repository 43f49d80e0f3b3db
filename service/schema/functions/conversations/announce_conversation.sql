-- Announces to open streams, when the transaction commits, that a conversation changed (3-product/conversations/live/topics.ts).
create or replace function announce_conversation(partner uuid, client uuid, conversation uuid, message uuid) returns void
language sql set search_path = public, pg_temp as $$
  select pg_notify('conversation', json_build_object('partnerId', partner, 'clientId', client, 'conversationId', conversation,
    'messageIds', case when message is null then '[]'::json else json_build_array(message) end)::text)
$$;
revoke execute on function announce_conversation from public;
grant execute on function announce_conversation to portal_tenant, portal_system;
