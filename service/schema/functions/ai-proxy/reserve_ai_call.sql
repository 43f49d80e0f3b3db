-- Reserves the credits that a call of a language model may cost at most. Returns `reserved`; `settled` when the same call was charged before,
-- and is free from then on; `quota_exceeded` with the credits that are left; `too_many` when the partner has `most` calls under way, in all
-- processes. A call that is reserved already keeps its reservation.
create or replace function reserve_ai_call(
  call_id uuid, of_partner uuid, of_client uuid, by_user uuid, in_conversation uuid, in_turn uuid, for_purpose text, of_provider text, of_model text,
  by_mode text, at_rate uuid, credits int, input_estimate int, price numeric, in_currency text, seconds int, most int
) returns table (outcome text, remaining int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  known ai_call;
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
  if (select count(*) from ai_call c where c.status = 'reserved' and c.expires_at > now() and c.partner_id = of_partner and c.id >= uuid_floor(now() - interval '1 day')) >= most then
    return query select 'too_many', 0;
    return;
  end if;
  if credits > 0 then
    if exists (select 1 from partner_quota q where q.partner_id = of_partner and q.period_end <= now()) then
      perform roll_quota(array[of_partner]);
    end if;
    update partner_quota q set in_flight = q.in_flight + credits
    where q.partner_id = of_partner and q.used + q.in_flight + credits <= q.monthly_credits + q.purchased_credits;
    if not found then
      return query select 'quota_exceeded', coalesce((select greatest(0, q.monthly_credits + q.purchased_credits - q.used - q.in_flight)
        from partner_quota q where q.partner_id = of_partner), 0);
      return;
    end if;
  end if;
  update ai_call c set status = 'reserved', provider = of_provider, model = of_model, source_mode = by_mode, rate_id = at_rate, credits_reserved = credits,
    input_tokens = input_estimate, output_tokens = 0, is_estimated = true, credit_price_minor = price, currency = in_currency, error_code = null, settled_at = null,
    expires_at = now() + make_interval(secs => seconds)
  where c.id = call_id;
  return query select 'reserved', 0;
end $$;
revoke execute on function reserve_ai_call from public;
grant execute on function reserve_ai_call to portal_system;
