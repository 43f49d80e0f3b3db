-- Counts the run that a visitor's turn starts, whose id is that of the turn, for the budgets of the day. False when one of them has no room.
create or replace function take_chat_run(of_partner uuid, turn uuid, cost int) returns boolean
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  talk record;
  today date := (now() at time zone 'UTC')::date;
begin
  select t.conversation_id, t.visitor, c.chatbot_id into talk from conversation_turn t join conversation c on c.id = t.conversation_id
  where t.id = turn and t.partner_id = of_partner;
  if not found then return true; end if;
  if hold_chat_budgets(of_partner, talk.conversation_id, talk.visitor, talk.chatbot_id, today, cost) is not null then return false; end if;
  perform move_chat_spending(of_partner, talk.conversation_id, talk.visitor, talk.chatbot_id, today, -cost, cost);
  return true;
end $$;
revoke execute on function take_chat_run from public;

-- Counts what ended runs of visitors' turns cost beyond what was counted when they began: AI tokens more, or nothing at all.
create or replace function settle_chat_runs(changed jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  perform move_chat_spending(t.partner_id, t.conversation_id, t.visitor, c.chatbot_id, (now() at time zone 'UTC')::date, 0, x.more)
  from (select (c->>'id')::uuid as id, (c->>'charged')::int - (c->>'held')::int as more from jsonb_array_elements(changed) c where (c->>'chat')::boolean order by 1) x
  join conversation_turn t on t.id = x.id join conversation c on c.id = t.conversation_id where x.more <> 0;
end $$;
revoke execute on function settle_chat_runs from public;
