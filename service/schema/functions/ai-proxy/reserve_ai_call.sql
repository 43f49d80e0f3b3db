-- Reserves the credits that a call of a language model may cost at most. Returns `reserved`; `settled` when the same call was charged before,
-- and is free from then on; `quota_exceeded` with the credits that are left; `too_many` when the partner has `most` calls under way, in all
-- processes, or users of its clients half of that, or those of this client a quarter; of a chatbot (`chatbot`, `preview`) which of its budgets has no room (core/quota/chat-budget.ts): `conversation`, `visitor`, `chatbot`, `share`, `reserve`.
-- `counted`: what it weighs for the budgets of the day, of a visitor's turn. A call that is reserved already keeps its reservation.
create or replace function reserve_ai_call(
  call_id uuid, of_partner uuid, of_client uuid, by_user uuid, in_conversation uuid, in_turn uuid, for_purpose text, of_provider text, of_model text,
  by_mode text, at_rate uuid, credits int, input_estimate int, price numeric, in_currency text, seconds int, most int,
  of_chatbot uuid, of_visitor uuid, counted int
) returns table (outcome text, remaining int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  known ai_call;
  quota partner_quota;
  is_chat boolean := for_purpose in ('chatbot', 'preview');
  today date := (now() at time zone 'UTC')::date;
  allowance int;
  reached text;
  under_way int;
  of_client_users int;
  of_this_client int;
begin
  insert into ai_call (id, partner_id, client_id, user_id, conversation_id, turn_id, purpose, provider, model, source_mode, status, expires_at)
  values (call_id, of_partner, of_client, by_user, in_conversation, in_turn, for_purpose, of_provider, of_model, by_mode, 'released', now())
  on conflict (id) do nothing;
  select * into strict known from ai_call c where c.id = call_id for update;
  if known.partner_id <> of_partner then
    raise exception 'call % belongs to another partner', call_id;
  end if;
  if known.status = 'settled' then
    return query select 'settled', 0;
    return;
  end if;
  if known.status = 'reserved' then
    update ai_call c set expires_at = now() + make_interval(secs => seconds) where c.id = call_id;
    return query select 'reserved', 0;
    return;
  end if;
  -- Counted one after the other, so that two at once do not take the last place both.
  perform pg_advisory_xact_lock(hashtextextended('ai_call ' || of_partner::text, 0));
  select count(*), count(*) filter (where u.client_id is not null), count(*) filter (where u.client_id = of_client) into under_way, of_client_users, of_this_client
    from ai_call c left join app_user u on u.id = c.user_id
    where c.status = 'reserved' and c.expires_at > now() and c.partner_id = of_partner and c.id >= uuid_floor(now() - interval '1 day');
  if under_way >= most or (exists (select from app_user u where u.id = by_user and u.client_id is not null) and (of_client_users >= most / 2 or of_this_client >= most / 4)) then
    return query select 'too_many', 0;
    return;
  end if;
  if credits > 0 or in_turn is not null then
    if exists (select 1 from partner_quota q where q.partner_id = of_partner and q.period_end <= now()) then
      perform roll_quota(array[of_partner]);
    end if;
    select q.* into quota from partner_quota q where q.partner_id = of_partner for update;
    allowance := coalesce(quota.monthly_credits + quota.purchased_credits, 0);
    -- Held last: nothing may be kept of a call that is refused.
    reached := case
      when credits = 0 then null
      when quota.partner_id is null or quota.used + quota.in_flight + credits > allowance then 'quota_exceeded'
      when is_chat and quota.chat_used + quota.chat_in_flight + credits > chat_share(allowance, quota.chat_share_percent) then 'share'
      when is_chat and quota.used + quota.in_flight + credits > chat_ceiling(allowance) then 'reserve'
    end;
    if in_turn is not null then
      reached := coalesce(hold_chat_budgets(of_partner, in_conversation, of_visitor, of_chatbot, today, counted), reached);
    end if;
    if reached is not null then
      -- The caller's transaction keeps nothing of it.
      return query select reached, greatest(0, allowance - coalesce(quota.used + quota.in_flight, 0));
      return;
    end if;
    update partner_quota q set in_flight = q.in_flight + credits, chat_in_flight = q.chat_in_flight + case when is_chat then credits else 0 end
    where q.partner_id = of_partner and credits > 0;
  end if;
  update ai_call c set status = 'reserved', provider = of_provider, model = of_model, source_mode = by_mode, rate_id = at_rate, credits_reserved = credits,
    input_tokens = input_estimate, output_tokens = 0, is_estimated = true, credit_price_minor = price, currency = in_currency, error_code = null, settled_at = null, chatbot_id = of_chatbot, visitor = of_visitor,
    budget_day = case when in_turn is not null then today end, budget_held = case when in_turn is not null then counted else 0 end,
    expires_at = now() + make_interval(secs => seconds)
  where c.id = call_id;
  return query select 'reserved', 0;
end $$;
revoke execute on function reserve_ai_call from public;
grant execute on function reserve_ai_call to portal_system;
