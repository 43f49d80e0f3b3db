-- Ends a call of a language model once: charges what was spent, or releases it. `weighed`: what it was for the budgets of a chatbot's day. Returns what the call was charged, now or before. Crossed usage
-- thresholds are returned for the caller to publish in the same transaction: see settle_quota.
create or replace function settle_ai_call(
  call_id uuid, is_released boolean, input_counted int, output_counted int, estimated boolean, charged int, cost numeric, problem text, weighed int
) returns table (applied boolean, credits int, crossings jsonb)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  ended ai_call;
  crossed jsonb;
  of_visitor uuid;
begin
  select c.visitor into of_visitor from ai_call c where c.id = call_id and c.status = 'reserved' for update;
  update ai_call c set status = case when is_released then 'released' else 'settled' end, input_tokens = case when is_released then 0 else input_counted end,
    output_tokens = case when is_released then 0 else output_counted end, is_estimated = estimated and not is_released,
    credits_charged = case when is_released then 0 else charged end, cost_minor = case when is_released then 0 else cost end, error_code = problem, settled_at = now(), visitor = null
  where c.id = call_id and c.status = 'reserved' returning c.* into ended;
  if ended.id is null then
    return query select false, coalesce(c.credits_charged, 0), null::jsonb from ai_call c where c.id = call_id;
    return;
  end if;
  if not is_released then
    insert into usage_entry (id, kind, partner_id, client_id, credits, note)
    values (ended.id, 'ai_tokens', ended.partner_id, ended.client_id, -charged,
      ended.model || ', ' || (input_counted + output_counted) || ' tokens' || case when ended.source_mode = 'byok' then ', own key' else '' end)
    on conflict do nothing;
  end if;
  if ended.credits_reserved > 0 or ended.credits_charged > 0 then
    crossed := settle_quota(jsonb_build_array(jsonb_build_object('partner', ended.partner_id, 'held', ended.credits_reserved, 'charged', ended.credits_charged,
      'free_failure', false, 'chat', ended.purpose in ('chatbot', 'preview'))), true);
  end if;
  if ended.budget_day is not null then
    -- Nothing above has locked it for a call with the agency's key.
    perform 1 from partner_quota q where q.partner_id = ended.partner_id for update;
    perform move_chat_spending(ended.partner_id, ended.conversation_id, of_visitor, ended.chatbot_id, ended.budget_day, -ended.budget_held, case when is_released then 0 else weighed end);
  end if;
  return query select true, ended.credits_charged, crossed;
end $$;
revoke execute on function settle_ai_call from public;
grant execute on function settle_ai_call to portal_system;
