-- Records accepted events that end the plan of their quote (`nudge`: it was answered) or visit (`reminder`: it was cancelled), so that an earlier run that
-- waits to be sent is not sent (ended_plan). The runs of these events end the plan itself, and replace the records (plan_follow_up).
create or replace function record_ended_plans(execution_ids uuid[], kinds text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, asked_by, status, reason, ended_at)
  select d.partner_id, w.client_id, w.id, e.kind, 'run', plan_subject(e.kind, p.input || coalesce(p.understood, '{}')), clock_timestamp(), clock_timestamp() + interval '100 days', '{}',
    d.execution_id, 'cancelled', case e.kind when 'nudge' then 'answered' else 'no_longer_due' end, now()
  from unnest(execution_ids, kinds) e(id, kind)
    join dispatch d on d.execution_id = e.id join workflow w on w.id = d.workflow_id join execution_payload p on p.partner_id = d.partner_id and p.id = d.execution_id
  where e.kind is not null and plan_subject(e.kind, p.input || coalesce(p.understood, '{}')) is not null
  order by d.execution_id
  on conflict do nothing
$$;
revoke execute on function record_ended_plans from public;

-- Returns why a run that waited is not sent: an event that was accepted after the one that brought it has ended the plan of its quote or visit. Null: nothing has.
create or replace function ended_plan(agent uuid, run uuid, event jsonb) returns text
language sql stable set search_path = public, pg_temp as $$
  select case p.kind when 'nudge' then 'answered' else 'booking_cancelled' end
  from planned_run p
  where event ?| array['quoteUrl', 'startTime', 'bookingUid'] and p.workflow_id = agent and p.subject = any(array[plan_subject('nudge', event), plan_subject('reminder', event)])
    and p.status = 'cancelled' and p.input = '{}' and p.reason in ('answered', 'no_longer_due')
    and p.asked_by > coalesce((select o.asked_by from planned_run o where o.workflow_id = agent and o.subject = p.subject and o.execution_id = run limit 1), run)
  limit 1
$$;
revoke execute on function ended_plan from public;
