-- Accepts ingest calls and other starts. Returns one row per item, in order:
--   accepted | replayed (same Idempotency-Key within 24 hours: execution_id is the first one) | retry (lost a race for its key, or has credits only if others of the batch get none: call again)
--   or the reason of refusal: not_found, idempotency_key_reused (the key was used with another body), account_suspended, workflow_inactive, rate_limited, quota_exceeded, failures_exceeded, missing_input,
--   invalid_input, reread (the facts by which it was read have changed: read workflow_facts and it again),
--   of a run of a chatbot chat_budget_exceeded (core/quota/chat-budget.ts).
-- A run of a chatbot has no dispatch row: the chatbot calls the flow itself. It takes no credits from events of its batch, also of later ones.
-- A keyword request in a text, besides an answer, is recorded first, also when its event is refused (record_keywords); a run with such a keyword ends before its flow.
-- `ended_plans`: why an event ends the plan of its quote or visit, see record_ended_plans; recorded first as well, also when it is refused.
-- The order of checks is in docs/behaviour/executions.md. A refused item never fails the others. Plans are cached: planning each batch would
-- cost more than running it.
-- `statuses` has the HTTP status of each refusal, from contract/errors.ts, for the inbound log.
create or replace function accept_executions(
  execution_ids uuid[], workflow_ids uuid[], sources text[], inputs jsonb[], input_bytes int[], summaries text[], over_rate boolean[], body_problems text[],
  key_hashes bytea[], sender_addresses text[], previews text[], reruns uuid[], scope_partners uuid[], scope_clients uuid[], timeout_minutes int[],
  latest_versions int[], contacts text[], texts boolean[], audits jsonb[], body_hashes bytea[],
  texted_numbers text[], keywords text[], keyword_contacts text[], keyword_found_by text[], understood jsonb[], remarks jsonb[], repeat_remarks text[], bases text[], ended_plans text[], failed_free int, statuses jsonb
) returns table (ord int, outcome text, execution_id uuid, partner_id uuid, client_id uuid, quota_used int, quota_limit int, failures_free int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  partners uuid[];
  ending text[];
begin
  if keywords is not null then
    ending := record_keywords(execution_ids, workflow_ids, sources, key_hashes, reruns, scope_partners, scope_clients, keywords, keyword_contacts, keyword_found_by);
  end if;
  if ended_plans is not null then
    perform record_ended_plans(execution_ids, workflow_ids, key_hashes, scope_partners, scope_clients, inputs, understood, ended_plans);
  end if;
  select array_agg(distinct w.partner_id) into partners from workflow w where w.id = any(workflow_ids);
  if exists (select 1 from partner_quota q where q.partner_id = any(partners) and q.period_end <= now()) then
    perform roll_quota(partners);
  end if;
  return query
  with item as (
    select * from unnest(execution_ids, workflow_ids, sources, inputs, input_bytes, summaries, over_rate, body_problems, key_hashes, sender_addresses, previews,
      reruns, scope_partners, scope_clients, timeout_minutes, latest_versions, contacts, texts, audits, body_hashes, texted_numbers, ending, understood, remarks, repeat_remarks, bases) with ordinality
      as t(execution_id, workflow_id, source, input, bytes, summary, over_rate, body_problem, key_hash, sender, preview, rerun_of, scope_partner, scope_client, timeout, latest_version,
        contact, texts, audit, body_hash, texted_number, keyword, understood, remarks, repeat_remark, basis, ord)
  ), known as (
    select i.*, w.partner_id, w.client_id, w.credits_per_run as cost, coalesce(w.template_version, i.latest_version) as version, prior.execution_id as prior_id,
      case
        when w.id is null or (i.scope_partner is not null and w.partner_id <> i.scope_partner)
          or (i.scope_client is not null and w.client_id is distinct from i.scope_client) or p.status = 'deleted' or c.status = 'deleted' then 'not_found'
        when i.basis <> reading_basis(coalesce(c.timezone, p.timezone), c.phone, c.locale, c.text_countries, w.event_id_from, w.date_order, w.config) then 'reread'
        when prior.execution_id is not null then case when prior.body_hash <> i.body_hash then 'idempotency_key_reused' else 'replayed' end
        when not may_run_agents(p.status, c.status, s.status) then 'account_suspended'
        when not w.is_active or w.provider_flow_id is null then 'workflow_inactive'
        when i.over_rate then 'rate_limited'
      end as refusal
    from item i
    left join workflow w on w.id = i.workflow_id
    left join partner p on p.id = w.partner_id
    left join client c on c.id = w.client_id
    left join subscription s on s.partner_id = w.partner_id
    left join idempotency_key prior on i.key_hash is not null and prior.partner_id = w.partner_id and prior.scope = i.workflow_id::text and prior.key_hash = i.key_hash
      and prior.created_at >= now() - interval '24 hours'
  ), quota as materialized (
    select q.partner_id, q.used, q.in_flight, q.monthly_credits + q.purchased_credits as allowance,
      case when q.failed_on = (now() at time zone 'UTC')::date then q.failed_free else 0 end as failed,
      greatest(failed_free, ceil(q.monthly_credits / 15.0)::int) as may_fail,
      q.chat_used + q.chat_in_flight as chat_taken, chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent) as chat_share,
      chat_ceiling(q.monthly_credits + q.purchased_credits) as chat_ceiling
    from partner_quota q where q.partner_id in (select k.partner_id from known k where k.refusal is null)
    order by q.partner_id for update
  ), weighed as (
    select k.*, q.allowance, q.failed, q.may_fail, q.used + q.in_flight as taken,
      q.chat_taken, q.chat_share, q.chat_ceiling,
      case when k.source = 'chatbot' then sum(k.for_event) over (partition by k.partner_id) + sum(k.for_chat) over (partition by k.partner_id order by k.ord)
        else sum(k.for_event) over (partition by k.partner_id order by k.ord) end as wanted,
      sum(k.for_chat) over (partition by k.partner_id order by k.ord) as chat_wanted
    from (select k.*, case when k.wants and k.source <> 'chatbot' then k.cost else 0 end as for_event, case when k.wants and k.source = 'chatbot' then k.cost else 0 end as for_chat
      from (
        -- Neither one that the credits suffice for in no case takes them from the next, nor a repeat of a key in the batch.
        select k.*, k.is_able and (k.key_hash is null or row_number() over (partition by k.workflow_id, k.key_hash, k.is_able order by k.ord) = 1) as wants
        from (
          select k.*, k.refusal is null and k.body_problem is null and coalesce(q.used + q.in_flight + k.cost <= q.allowance, false) as is_able
          from known k left join quota q on q.partner_id = k.partner_id) k) k) k
    left join quota q on q.partner_id = k.partner_id
  ), decided as (
    select w.*, case
        when w.refusal is not null then w.refusal
        when w.allowance is null or w.taken + w.cost > w.allowance then 'quota_exceeded'
        when w.failed >= w.may_fail then 'failures_exceeded'
        when w.body_problem is not null then w.body_problem
        -- The credits suffice for it alone, and those before it may be refused. The first of them is decided now, so a few calls decide all.
        when w.taken + w.wanted > w.allowance then 'retry'
        when w.source <> 'chatbot' then 'accepted'
        when w.chat_taken + w.chat_wanted > w.chat_share or w.taken + w.wanted > w.chat_ceiling then 'chat_budget_exceeded'
        when not take_chat_run(w.partner_id, w.execution_id, w.cost) then 'chat_budget_exceeded'
        else 'accepted'
      end as verdict
    from weighed w
  ), keyed as (
    -- One row per key, because a statement may update a row once. An expired key that was not swept yet is taken over.
    insert into idempotency_key as k (partner_id, scope, key_hash, execution_id, body_hash)
    select distinct on (d.partner_id, d.workflow_id, d.key_hash) d.partner_id, d.workflow_id::text, d.key_hash, d.execution_id, d.body_hash
    from decided d where d.verdict = 'accepted' and d.key_hash is not null order by d.partner_id, d.workflow_id, d.key_hash, d.ord
    on conflict (partner_id, scope, key_hash) do update set execution_id = excluded.execution_id, created_at = excluded.created_at, body_hash = excluded.body_hash
      where k.created_at < now() - interval '24 hours'
    returning k.execution_id
  ), final as (
    select d.*, case when d.verdict = 'accepted' and d.key_hash is not null and not exists (select 1 from keyed k where k.execution_id = d.execution_id)
      then 'retry' else d.verdict end as result
    from decided d
  ), new_execution as (
    insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at, rerun_of)
    select f.execution_id, f.partner_id, f.client_id, f.workflow_id, f.source, f.summary, f.version, f.cost, now() + make_interval(mins => f.timeout), f.rerun_of
    from final f where f.result = 'accepted'
  ), new_payload as (
    insert into execution_payload (id, partner_id, client_id, input, sender_address, body_preview, understood, remarks)
    select f.execution_id, f.partner_id, f.client_id, f.input, f.sender, f.preview, f.understood, f.remarks from final f where f.result = 'accepted'
  ), new_dispatch as (
    insert into dispatch (execution_id, partner_id, workflow_id, contact, texts, bytes, timeout_minutes, texted_number, keyword)
    select f.execution_id, f.partner_id, f.workflow_id, f.contact, coalesce(f.texts, false) and f.keyword is null, f.bytes, f.timeout, f.texted_number, f.keyword from final f where f.result = 'accepted' and f.source <> 'chatbot'
  ), new_inbound as (
    insert into inbound_event (partner_id, client_id, workflow_id, outcome, reason, status, sender_address, body_preview, remarks, execution_id)
    select f.partner_id, f.client_id, f.workflow_id, case when f.result = 'replayed' then 'accepted' else 'refused' end,
      case when f.result = 'replayed' then null else f.result end,
      (statuses->>f.result)::int,
      f.sender, f.preview,
      case when f.result = 'replayed' then coalesce(f.remarks, '[]') || jsonb_build_object('key', null, 'remark', f.repeat_remark) else f.remarks end,
      case when f.result = 'replayed' then f.prior_id end
    from final f where f.source = 'ingest' and f.partner_id is not null and f.result not in ('accepted', 'retry', 'reread', 'not_found')
  ), new_audit as (
    insert into audit_entry (partner_id, client_id, actor_type, actor_id, actor_email, actor_via, action, target_type, target_id, changes, ip, user_agent, request_id)
    select f.partner_id, f.client_id, f.audit->>'actorType', (f.audit->>'actorId')::uuid, f.audit->>'actorEmail', f.audit->>'actorVia', f.audit->>'action', 'execution',
      f.execution_id::text, coalesce(f.audit->'changes', '{}'), f.audit->>'ip', f.audit->>'userAgent', f.audit->>'requestId'
    from final f where f.result = 'accepted' and f.audit is not null
  ), held as (
    update partner_quota q set in_flight = q.in_flight + h.cost, chat_in_flight = q.chat_in_flight + h.chat_cost
    from (select f.partner_id, sum(f.cost) as cost, coalesce(sum(f.cost) filter (where f.source = 'chatbot'), 0) as chat_cost from final f where f.result = 'accepted' group by f.partner_id) h
    where q.partner_id = h.partner_id
  )
  -- Includes what earlier items of this batch reserved.
  select f.ord::int, f.result, case when f.result = 'replayed' then f.prior_id else f.execution_id end, f.partner_id, f.client_id, least(f.taken + f.wanted, f.allowance)::int, f.allowance, f.may_fail
  from final f order by f.ord;
end $$;
revoke execute on function accept_executions from public;
grant execute on function accept_executions to portal_service;
