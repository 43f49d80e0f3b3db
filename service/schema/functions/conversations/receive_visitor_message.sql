-- Stores a visitor's message, once for each id of its sender, and begins the turn that answers it. Returns no row when the visitor's key is not
-- that of a conversation of the chatbot. `turn_id`: a turn that this call began and `worker` holds; null while a person answers, or while another
-- turn is under way, which the next turn follows. Rights: those of the caller.
create or replace function receive_visitor_message(
  key uuid, chatbot uuid, client uuid, is_first boolean, client_message uuid, words text, page_origin text, language text, worker uuid,
  lease_ms int, history_most int, from_network uuid
) returns table (conversation_id uuid, message_id uuid, is_repeat boolean, status text, human_name text, turn_id uuid, history jsonb)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  found_one conversation%rowtype;
  fresh uuid := gen_random_uuid();
  message uuid;
  turn uuid;
begin
  if is_first then
    insert into conversation (id, visitor_key, partner_id, client_id, chatbot_id, visitor_label, origin, locale)
      values (fresh, key, (select app_partner()), client, chatbot, 'Visitor ' || upper(left(fresh::text, 4)), page_origin, language)
      on conflict (visitor_key) do nothing;
  end if;
  select c.* into found_one from conversation c where c.visitor_key = key and c.chatbot_id = chatbot for update;
  if not found then return; end if;
  if client_message is not null then
    select m.id into message from conversation_message m where m.conversation_id = found_one.id and m.client_message_id = client_message;
    if found then
      return query select found_one.id, message, true, found_one.status, nullif(found_one.assigned_name, ''), null::uuid, null::jsonb;
      return;
    end if;
  end if;
  insert into conversation_message (partner_id, client_id, conversation_id, author, content, client_message_id)
    values (found_one.partner_id, found_one.client_id, found_one.id, 'visitor', words, client_message) returning id into message;
  update conversation c set last_message_at = now(), last_message_text = left(words, 300), last_message_author = 'visitor',
      locale = language,
      status = case when c.status = 'closed' then 'open' else c.status end,
      closed_at = null,
      handoff_reason = case when c.status = 'closed' then null else c.handoff_reason end,
      assigned_to = case when c.status = 'closed' then null else c.assigned_to end,
      assigned_name = case when c.status = 'closed' then '' else c.assigned_name end,
      waiting_since = case when c.status = 'handed_off' then coalesce(c.waiting_since, now()) end,
      reminded_at = case when c.status = 'handed_off' and c.waiting_since is not null then c.reminded_at end
    where c.id = found_one.id returning c.* into found_one;
  if found_one.status = 'open' then
    insert into conversation_turn (partner_id, client_id, conversation_id, state, upto_message_id, claimed_by, due_at, visitor)
      values (found_one.partner_id, found_one.client_id, found_one.id, 'deciding', message, worker, now() + lease_ms * interval '1 millisecond', from_network)
      on conflict (conversation_id) where finished_at is null do nothing returning id into turn;
  end if;
  perform announce_conversation(found_one.partner_id, found_one.client_id, found_one.id, message);
  return query select found_one.id, message, false, found_one.status, nullif(found_one.assigned_name, ''), turn,
    case when turn is not null then conversation_history(found_one.id, message, history_most) end;
end $$;
revoke execute on function receive_visitor_message from public;
grant execute on function receive_visitor_message to portal_tenant;
