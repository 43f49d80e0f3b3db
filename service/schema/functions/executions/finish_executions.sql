-- Ends executions after a report (SUCCEEDED or FAILED), a refused dispatch or a timeout. Guarded by the status: a second report changes
-- nothing, except that one late report may correct a timeout. Charges credits (those of AI tokens alone when the run failed or its end is `free`), releases reserved ones, counts the hour, stores the contact,
-- frees its place in the engine (`ran_ms`: since it was handed over), plans the follow-ups it requested (plan_follow_up). Crossed usage thresholds are on the first row, or refused: see settle_quota.
-- `only_while`: ends it only while it is `queued` (nothing of it was sent) or `overdue`. An execution that was read before may have been sent since.
create or replace function finish_executions(
  execution_ids uuid[], workflow_ids uuid[], statuses text[], summaries text[], outputs jsonb[], steps jsonb[], error_codes text[], error_messages text[],
  error_steps text[], contacts text[], opt_outs text[], opt_outs_found_by text[], ai_credits int[], free boolean[], only_while text[], tones text[], untried boolean[], from_timeout boolean, may_cross boolean
) returns table (ord int, found boolean, applied boolean, partner_id uuid, crossings jsonb, ran_ms int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  changed jsonb;
  crossed jsonb;
begin
  -- Lock order of all writers that end executions: executions, workflows, dispatch, then quota; each by id.
  perform 1 from execution e where e.id = any(execution_ids) order by e.id for update;
  perform 1 from workflow w where w.id = any(workflow_ids) order by w.id for no key update;
  perform 1 from dispatch d where d.execution_id = any(execution_ids) order by d.execution_id for update;
  with item as (
    select * from unnest(execution_ids, workflow_ids, statuses, summaries, outputs, steps, error_codes, error_messages, error_steps, contacts, opt_outs, opt_outs_found_by, ai_credits, free, only_while, tones, untried) with ordinality
      as t(id, workflow_id, status, summary, output, steps, error_code, error_message, error_step, contact, opt_out, opt_out_found_by, ai_credits, free, only_while, tone, untried, ord)
  ), first as (
    select distinct on (i.id) i.* from item i order by i.id, i.ord
  ), ended as (
    update execution e set status = i.status, summary = coalesce(i.summary, e.summary), finished_at = now(), error_code = i.error_code, error_message = i.error_message,
      error_step = i.error_step, credits_charged = case when i.status = 'SUCCEEDED' and i.free is not true then e.credits_held else 0 end + i.ai_credits, late = (e.status <> 'RUNNING'), tone = i.tone,
      stopped = i.status = 'SUCCEEDED' and coalesce(i.output->>'skipped', '') = 'true'
    from first i
    where e.id = i.id and e.workflow_id = i.workflow_id
      and (e.status = 'RUNNING' or (not from_timeout and e.status = 'FAILED' and e.error_code = 'timeout' and not e.late))
      and case i.only_while
        when 'queued' then exists (select from dispatch d where d.execution_id = e.id and d.claimed_until is null)
        when 'overdue' then e.due_at <= now() and not is_being_sent(e.id)
        else true
      end
    returning e.id, e.partner_id, e.client_id, e.workflow_id, e.source, e.status, e.credits_held, e.credits_charged, e.late, e.started_at, i.output, i.steps, i.contact, i.opt_out, i.opt_out_found_by, i.ai_credits, i.untried, i.ord
  ), stored as (
    update execution_payload p set output = coalesce(d.output, p.output), steps = coalesce(d.steps, p.steps) from ended d where p.partner_id = d.partner_id and p.id = d.id
  ), unqueued as (
    delete from dispatch d using ended e where d.execution_id = e.id returning d.execution_id, case when d.claimed_until is not null then d.due_at end as handed_at
  ), freed_slots as (
    delete from under_way u using ended e where u.execution_id = e.id returning u.execution_id, u.handed_at
  ), metered as (
    insert into usage_entry (id, kind, partner_id, client_id, workflow_id, execution_id, credits, note)
    select d.id, 'run', d.partner_id, d.client_id, d.workflow_id, d.id, d.ai_credits - d.credits_charged, '' from ended d where d.credits_charged > d.ai_credits
    union all
    select d.id, 'ai_tokens', d.partner_id, d.client_id, d.workflow_id, d.id, -d.ai_credits, 'AI tokens on a platform key' from ended d where d.ai_credits > 0
    on conflict do nothing
  ), counted as (
    insert into workflow_hour as h (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped)
    select d.partner_id, d.workflow_id, d.client_id, date_trunc('hour', d.started_at), count(*) filter (where d.status = 'SUCCEEDED')::int,
      (count(*) filter (where d.status = 'FAILED') - count(*) filter (where d.late))::int, sum(d.credits_charged)::int, count(d.contact)::int,
      -- A run that ended early, or that asked no customer ("asked": false), brought no result.
      count(*) filter (where d.status = 'SUCCEEDED' and coalesce(d.output->>'skipped', '') <> 'true' and coalesce(d.output->>'asked', '') <> 'false')::int
    from ended d group by 1, 2, 3, 4 order by 1, 2, 4
    on conflict (partner_id, workflow_id, hour) do update set succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed,
      credits = h.credits + excluded.credits, contacted = h.contacted + excluded.contacted, helped = h.helped + excluded.helped
  )
  select jsonb_agg(jsonb_build_object('id', d.id, 'ord', d.ord, 'partner', d.partner_id, 'client', d.client_id, 'workflow', d.workflow_id, 'status', d.status,
    'late', d.late, 'held', case when d.late then 0 else d.credits_held end, 'charged', d.credits_charged, 'free_failure', d.status = 'FAILED' and not from_timeout and d.credits_charged = 0, 'contact', d.contact, 'opt_out', d.opt_out, 'opt_out_found_by', d.opt_out_found_by, 'chat', d.source = 'chatbot', 'untried', d.untried is true,
    'ran_ms', least(extract(epoch from clock_timestamp() - coalesce(p.handed_at, q.handed_at)) * 1000, 2147483647)::int)) into changed
  from ended d left join freed_slots p on p.execution_id = d.id left join unqueued q on q.execution_id = d.id;

  if changed is not null then
    perform plan_follow_up(t.partner_id, t.id, t.contact)
    from (select (c->>'partner')::uuid as partner_id, (c->>'id')::uuid as id, c->>'contact' as contact, outputs[(c->>'ord')::int] as output from jsonb_array_elements(changed) c order by (c->>'ord')::int) t
    where t.output ?| array['nextNudgeAt', 'nextReminderAt', 'nudge', 'startTime', 'leadHours'] or t.output->>'reason' in ('answered', 'answer_not_understood', 'already_nudged', 'all_done', 'booking_cancelled');
    -- Failures in a row: those after the last success of these, with those of before when none of these succeeded. An `untried` end,
    -- which came before a provider did a step, is none of both.
    update workflow w set last_run_at = now(), consecutive_failures = t.failures + case when t.has_succeeded then 0 else w.consecutive_failures end
    from (select x.id, count(*) filter (where x.status = 'FAILED' and not x.late and x.ord > x.succeeded)::int as failures, max(x.succeeded) > 0 as has_succeeded
          from (select (c->>'workflow')::uuid as id, c->>'status' as status, (c->>'late')::boolean as late, (c->>'ord')::int as ord,
                  coalesce(max((c->>'ord')::int) filter (where c->>'status' = 'SUCCEEDED' and c->>'untried' = 'false') over (partition by c->>'workflow'), 0) as succeeded
                from jsonb_array_elements(changed) c) x group by x.id order by x.id) t
    where w.id = t.id;
    insert into workflow_contact (partner_id, workflow_id, contact, last_at)
    select distinct on (2, 3) (c->>'partner')::uuid, (c->>'workflow')::uuid, c->>'contact', now() from jsonb_array_elements(changed) c where c->>'contact' is not null order by 2, 3
    on conflict (partner_id, workflow_id, contact) do update set last_at = excluded.last_at;
    insert into opt_out (partner_id, client_id, contact, reason, execution_id)
    select distinct on (1, 2, 3) (c->>'partner')::uuid, (c->>'client')::uuid, c->>'opt_out', c->>'opt_out_found_by', (c->>'id')::uuid from jsonb_array_elements(changed) c where c->>'opt_out' is not null order by 1, 2, 3
    on conflict do nothing;
    crossed := settle_quota(changed, may_cross);
    if changed @? '$[*] ? (@.chat == true)' then
      perform settle_chat_runs(changed);
    end if;
  end if;

  return query
  select t.ord::int, e.id is not null, r.ord is not null, e.partner_id, case when t.ord = 1 then crossed end, r.ran_ms
  from unnest(execution_ids, workflow_ids) with ordinality as t(id, workflow_id, ord)
  left join execution e on e.id = t.id and e.workflow_id = t.workflow_id
  left join (select (c->>'ord')::int as ord, (c->>'ran_ms')::int as ran_ms from jsonb_array_elements(changed) c) r on r.ord = t.ord order by t.ord;
end $$;
revoke execute on function finish_executions from public;
grant execute on function finish_executions to portal_service, portal_system;
