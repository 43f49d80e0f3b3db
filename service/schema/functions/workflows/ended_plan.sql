-- Records why events end a plan: the quote was `answered`, the visit was cancelled (`no_longer_due`), or it begins at the time in `label`, which ends reminders
-- planned for another time (`moved`). Events that are refused count as well, as for record_keywords: ending a plan costs nothing. Planned runs that wait end at once,
-- a run that waits to be sent ends when its turn comes (ended_plan). The newest record of each reason is kept.
create or replace function record_ended_plans(
  execution_ids uuid[], workflow_ids uuid[], key_hashes bytea[], scope_partners uuid[], scope_clients uuid[], inputs jsonb[], understood jsonb[], reasons text[]
) returns void language sql security definer set search_path = public, pg_temp as $$
  with said as materialized (
    select distinct on (k.workflow_id, s.subject) k.partner_id, k.client_id, k.workflow_id, s.kind, s.subject, i.execution_id, i.reason,
      case i.reason when 'moved' then instant(s.event->>'startTime') else '' end as label
    from unnest(execution_ids, inputs, understood, reasons) with ordinality i(execution_id, input, understood, reason, ord)
      join known_events(workflow_ids, key_hashes, scope_partners, scope_clients) k on k.ord = i.ord and not k.is_repeated
      cross join lateral (select i.input || coalesce(i.understood, '{}') as event, case i.reason when 'answered' then 'nudge' else 'reminder' end as kind offset 0) e
      cross join lateral (select e.event, e.kind, plan_subject(e.kind, e.event) as subject offset 0) s
    where i.reason is not null and s.subject is not null
    order by k.workflow_id, s.subject, i.execution_id desc
  ), earlier as materialized (
    -- Waits for no lock, so it cannot deadlock with runs that end. A planned run that is skipped does no harm: it is not sent.
    select p.id, p.status, p.label, p.workflow_id, p.subject, s.reason, s.label as start
    from said s join planned_run p on p.workflow_id = s.workflow_id and p.subject = s.subject and p.asked_by < s.execution_id and p.origin = 'run'
    where (p.status = 'waiting' and p.claimed_by is null) or (p.input = '{}' and p.reason = s.reason)
    order by p.id for update of p skip locked
  ), ended as (
    update planned_run p set status = 'cancelled', reason = case e.reason when 'moved' then 'replaced' else e.reason end, try_at = null, ended_at = now()
    from earlier e
    where p.id = e.id and e.status = 'waiting' and (e.reason <> 'moved' or exists (
      select from earlier o where o.workflow_id = e.workflow_id and o.subject = e.subject and o.status = 'cancelled' and o.label <> e.start))
  ), outdated as (
    delete from planned_run p using earlier e where p.id = e.id and e.status = 'cancelled'
  )
  -- `last_at`: until when it is known, for longer than a run may be rerun.
  insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, label, due_at, last_at, input, asked_by, status, reason, ended_at)
  select s.partner_id, s.client_id, s.workflow_id, s.kind, 'run', s.subject, s.label, clock_timestamp(), clock_timestamp() + interval '100 days', '{}', s.execution_id, 'cancelled', s.reason, now()
  from said s
  on conflict do nothing
$$;
revoke execute on function record_ended_plans from public;

-- The run that brought the event of a run: of a rerun of the same event the first, of a planned run about the subject `about` the one that requested it. Events count in
-- the order in which they were accepted, which is that of these ids.
create or replace function brought_by(run_partner uuid, agent uuid, run uuid, about text) returns uuid
language sql stable set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with recursive same_event as (
    select e.id, e.rerun_of, e.source, e.started_at, p.input from execution e join execution_payload p on p.partner_id = run_partner and p.id = e.id where e.id = run
    union all
    select e.id, e.rerun_of, e.source, e.started_at, s.input from same_event s join execution e on e.id = s.rerun_of
      join execution_payload p on p.partner_id = run_partner and p.id = e.id and p.input = s.input
  ), first as (select s.id, s.source, s.started_at from same_event s order by s.id limit 1)
  select coalesce(
    (select p.asked_by from planned_run p where p.workflow_id = agent and p.subject = about and p.execution_id = f.id limit 1),
    -- Version 0.2.0 planned by the texts of the event, so its subject may be another. A run starts at most a week after it was due.
    (select p.asked_by from planned_run p where f.source = 'schedule' and p.partner_id = run_partner and p.workflow_id = agent
      and p.due_at between f.started_at - interval '8 days' and f.started_at + interval '1 hour' and p.execution_id = f.id and p.asked_by is not null limit 1),
    f.id) from first f
$$;
revoke execute on function brought_by from public;

-- Whether an event says no more of an answered quote than that it is open: a customer may look at it after accepting it, and events of one moment arrive in any order.
-- Only an event that says nothing about an answer, or has a later day, sends it again. `answer`: the record of the answer.
create or replace function is_view_of_answered(answer planned_run, event jsonb) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select answer.reason = 'answered' and event->>'answered' = 'false'
    and case when pg_input_is_valid(event->>'sentAt', 'timestamptz') then (event->>'sentAt')::timestamptz <= answer.due_at else true end
    and not exists (select 1 from planned_run p where p.workflow_id = answer.workflow_id and p.subject = answer.subject and p.asked_by > answer.asked_by)
$$;
revoke execute on function is_view_of_answered from public;

-- Returns why a run that waited is not sent: a later event than the one that brought it has ended the plan of its quote or visit, or the run is of a view of an answered quote. Null: it is sent.
create or replace function ended_plan(run_partner uuid, agent uuid, run uuid, event jsonb) returns text
language sql stable set search_path = public, pg_temp as $$
  select case p.reason when 'no_longer_due' then 'booking_cancelled' else p.reason end
  from planned_run p
  where event ?| array['quoteUrl', 'startTime', 'bookingUid'] and p.workflow_id = agent and p.subject = any(array[plan_subject('nudge', event), plan_subject('reminder', event)])
    and p.status = 'cancelled' and p.input = '{}' and p.reason in ('answered', 'no_longer_due', 'moved')
    and (p.reason <> 'moved' or p.label <> instant(event->>'startTime'))
    and (p.asked_by > brought_by(run_partner, agent, run, p.subject) or is_view_of_answered(p, event))
  order by p.asked_by desc limit 1
$$;
revoke execute on function ended_plan from public;
