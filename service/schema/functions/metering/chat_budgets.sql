-- Budgets of conversations (core/quota/chat-budget.ts). What changes chat_spending locks the row of partner_quota first, so that rows are locked in one order.

-- Returns the credits that chatbots of an agency may use in a period with this allowance.
create or replace function chat_share(allowance int, percent int) returns int
language sql immutable as $$ select (allowance::bigint * percent / 100)::int $$;
revoke execute on function chat_share from public;
grant execute on function chat_share to portal_tenant, portal_system;

-- Returns up to which credit of a period chatbots may use any: a tenth is kept for events, so that a missed call is still texted.
create or replace function chat_ceiling(allowance int) returns int
language sql immutable as $$ select allowance - ceil(allowance / 10.0)::int $$;
revoke execute on function chat_ceiling from public;
grant execute on function chat_ceiling to portal_tenant, portal_system;

-- Adds to what a conversation, a visitor (null: not known) and a chatbot hold and have used on a day.
create or replace function move_chat_spending(of_partner uuid, of_conversation uuid, of_visitor uuid, of_chatbot uuid, on_day date, hold_more int, use_more int) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  insert into chat_spending as s (partner_id, scope, subject, day, held, used)
  select of_partner, t.scope, t.subject, on_day, greatest(0, hold_more), greatest(0, use_more)
  from (values ('chatbot', of_chatbot), ('conversation', of_conversation), ('visitor', of_visitor)) t(scope, subject) where t.subject is not null
  on conflict (partner_id, scope, subject, day) do update set held = greatest(0, s.held + hold_more), used = greatest(0, s.used + use_more)
$$;
revoke execute on function move_chat_spending from public;

-- Holds credits of the budgets of the day. Returns which of them has no room, and nothing is held then; null when all have.
create or replace function hold_chat_budgets(of_partner uuid, of_conversation uuid, of_visitor uuid, of_chatbot uuid, on_day date, counted int) returns text
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  reached text;
begin
  select case
      when sum(s.used + s.held) filter (where s.scope = 'conversation') + counted > q.chat_conversation_credits then 'conversation'
      when sum(s.used + s.held) filter (where s.scope = 'visitor') + counted > q.chat_visitor_credits then 'visitor'
      when sum(s.used + s.held) filter (where s.scope = 'chatbot') + counted > q.chatbot_credits then 'chatbot'
    end into reached
  from partner_quota q cross join (
    select t.scope, coalesce(x.used, 0) as used, coalesce(x.held, 0) as held
    from (values ('chatbot', of_chatbot), ('conversation', of_conversation), ('visitor', of_visitor)) t(scope, subject)
    left join chat_spending x on x.partner_id = of_partner and x.scope = t.scope and x.subject = t.subject and x.day = on_day
    where t.subject is not null) s
  where q.partner_id = of_partner group by q.partner_id;
  if reached is null then
    perform move_chat_spending(of_partner, of_conversation, of_visitor, of_chatbot, on_day, counted, 0);
  end if;
  return reached;
end $$;
revoke execute on function hold_chat_budgets from public;

-- Notes that a budget had no room for an answer, for the alert about it, unless only answers under way are in its way. True when that was not noted before.
create or replace function note_chat_budget(of_chatbot uuid, reached text, wanted int) returns boolean
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  quota partner_quota;
  today date := (now() at time zone 'UTC')::date;
begin
  if reached not in ('chatbot', 'share', 'reserve') then return false; end if;
  select q.* into quota from partner_quota q where q.partner_id = app_partner() for update;
  if reached = 'chatbot' then
    insert into chat_spending as s (partner_id, scope, subject, day, reached_limit)
    select quota.partner_id, 'chatbot', of_chatbot, today, quota.chatbot_credits where wanted > quota.chatbot_credits
      or exists (select from chat_spending x where x.partner_id = quota.partner_id and x.scope = 'chatbot' and x.subject = of_chatbot and x.day = today
        and x.used + wanted > quota.chatbot_credits and x.reached_limit is distinct from quota.chatbot_credits)
    on conflict (partner_id, scope, subject, day) do update set reached_limit = excluded.reached_limit where s.reached_limit is distinct from excluded.reached_limit;
  elsif reached = 'share' then
    update partner_quota q set chat_share_reached = chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent)
    where q.partner_id = quota.partner_id and q.chat_used + wanted > chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent)
      and q.chat_share_reached is distinct from chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent);
  else
    update partner_quota q set chat_reserve_reached = chat_ceiling(q.monthly_credits + q.purchased_credits)
    where q.partner_id = quota.partner_id and q.used + wanted > chat_ceiling(q.monthly_credits + q.purchased_credits)
      and q.chat_reserve_reached is distinct from chat_ceiling(q.monthly_credits + q.purchased_credits);
  end if;
  return found;
end $$;
revoke execute on function note_chat_budget from public;
grant execute on function note_chat_budget to portal_tenant;
