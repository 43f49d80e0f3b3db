-- Lets what waits about a quote, planned until the event `by`, go on with what an event without a day says; what that leaves empty, and the days, stay.
create or replace function go_on_with(agent uuid, about text, by uuid, input jsonb, event jsonb) returns void
language sql set search_path = public, pg_temp as $$
  update planned_run p set label = left(coalesce(event->>'customerName', ''), 120), asked_by = by, input = p.input
    || coalesce((select jsonb_object_agg(v.key, v.value) from jsonb_each(go_on_with.input) v where coalesce(event->>v.key, '') <> ''), '{}')
    || jsonb_build_object('sentAt', p.input->'sentAt')
  where p.workflow_id = agent and p.subject = about and p.status = 'waiting' and p.asked_by <= by
$$;
revoke execute on function go_on_with from public;

-- Plans the follow-ups that an execution requested (output nextNudgeAt and laterNudges, or nextReminderAt and laterReminders), each exactly once: called by
-- finish_executions in the transaction that ends it. A follow-up that fails, is missed or comes while the agent is off ends no later one. The newest event about a
-- quote replaces what waits, also when an earlier one ends after it, such as an answer; an answer cancels it, and so does one that is not understood. The same holds for a
-- visit, which may have been moved or cancelled; reminders that the poll of bookings planned are left to it while it is on.
-- Records whom the execution reached about it (sent_about), by text the number `texted`.
-- This is the home of the rule; a test compares it with its model, service/schema/models/plan-follow-up.ts.
create or replace function plan_follow_up(execution_partner uuid, execution_id uuid, texted text default null) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  run execution;
  payload execution_payload;
  -- The event as its steps got it: what was understood in place of what came, without values that were left out.
  event jsonb;
  asked text[];
  next_at timestamptz[];
  what text;
  about text;
  is_answered boolean;
  -- The quote is open, and its output says which nudges are left.
  is_nudge boolean;
  -- Why waiting planned runs end.
  why text;
  -- A poll plans the reminders of bookings: its schedule is on, and no other client shares its key.
  is_polled boolean;
  person text;
  about_person text;
  event_id uuid;
  -- The plan of an earlier event, which a later one without a date keeps.
  earlier jsonb;
  earlier_end text;
  -- A later event without a day, whose run ended first.
  later uuid;
  later_input jsonb;
  later_event jsonb;
begin
  select e.* into run from execution e where e.id = plan_follow_up.execution_id;
  select p.* into payload from execution_payload p where p.partner_id = execution_partner and p.id = plan_follow_up.execution_id;
  event := payload.input || coalesce(payload.understood, '{}');
  what := case when payload.output ?| array['nextReminderAt', 'startTime', 'leadHours'] or payload.output->>'reason' = 'booking_cancelled' then 'reminder' else 'nudge' end;
  about := plan_subject(what, event);
  about_person := left(coalesce(event->>'customerName', event->>'attendeeName', ''), 120);
  asked := array(
    select coalesce(payload.output->>'nextNudgeAt', payload.output->>'nextReminderAt')
    union all
    (select l.at #>> '{}' from jsonb_path_query(payload.output, case what when 'nudge' then '$.laterNudges[*]'::jsonpath else '$.laterReminders[*]' end) l(at) limit 10));
  is_answered := what = 'nudge' and payload.output->>'reason' is not distinct from 'answered';
  why := case when is_answered then 'answered' when what = 'reminder' and payload.output->>'reason' is not distinct from 'booking_cancelled' then 'no_longer_due' else 'replaced' end;
  is_nudge := what = 'nudge' and why = 'replaced' and payload.output->>'reason' is distinct from 'answer_not_understood';
  -- A test writes to the person who made it, once.
  if run.source = 'test' or about is null or not exists (select 1 from workflow w where w.id = run.workflow_id) then
    return;
  end if;

  -- Whom it reached about it: no event that is repeated, and no rerun, reaches them again. A mail counts also when the run failed after it.
  for person in
    select texted where texted is not null
    union
    select payload.output->>'contacted' where run.status = 'SUCCEEDED' and payload.output->>'skipped' is distinct from 'true' and payload.output->>'contacted' like '%@%'
    union
    select payload.output->>'mailed' where payload.output->>'mailed' like '%@%' and payload.output->>'mailId' <> ''
  loop
    delete from planned_run p where p.workflow_id = run.workflow_id and p.subject = about || ' ' || lower(left(person, 320));
    -- `last_at`: until when it is known, for longer than any two nudges are apart.
    insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, reason, execution_id, ended_at)
    values (run.partner_id, run.client_id, run.workflow_id, what, 'run', about || ' ' || lower(left(person, 320)), now(), now() + interval '100 days', '{}', 'started', 'sent', run.id, now());
  end loop;

  event_id := brought_by(execution_partner, run.workflow_id, run.id, about);
  -- A later event without a day counts from its own run only until the day is known.
  if is_nudge and event->>'sentAt' <> '' then
    select e.id, q.input, q.input || coalesce(q.understood, '{}') into later, later_input, later_event
    from planned_run p join execution e on e.id = p.asked_by join execution_payload q on q.partner_id = execution_partner and q.id = e.id
    where p.workflow_id = run.workflow_id and p.subject = about and p.asked_by > event_id and p.input->>'sentAt' = iso_time(e.started_at) limit 1;
  end if;
  if exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.asked_by > event_id and p.asked_by is distinct from later
      and (p.reason is distinct from 'moved' or p.label <> instant(event->>'startTime'))) then
    return;
  end if;
  if what = 'nudge' and exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'cancelled' and p.input = '{}' and is_view_of_answered(p, event)) then
    return;
  end if;
  -- A quote without a date counts from its first event: a later one, such as that it was viewed, keeps the days of the plan, also once all are over, and what it
  -- does not say itself, until an answer has ended it.
  if is_nudge and coalesce(event->>'sentAt', '') = '' then
    select p.input, p.reason into earlier, earlier_end from planned_run p
    where p.workflow_id = run.workflow_id and p.subject = about and p.asked_by is not null order by p.asked_by desc, p.input = '{}' limit 1;
    if earlier <> '{}' then perform go_on_with(run.workflow_id, about, event_id, payload.input, event); end if;
    if earlier <> '{}' or earlier_end = 'done' then return; end if;
  end if;

  is_polled := what = 'reminder' and exists (
    select 1 from workflow_schedule s where s.workflow_id = run.workflow_id and s.kind = 'bookings' and s.enabled and s.last_reason is distinct from 'key_shared');
  update planned_run p set status = 'cancelled', reason = why, try_at = null, ended_at = now()
  where p.id in (
    select o.id from planned_run o where o.workflow_id = run.workflow_id and o.subject = about and o.status = 'waiting' and (not is_polled or o.origin = 'run') order by o.id for update);
  -- The poll of bookings plans the reminders of bookings it knows.
  if is_polled and exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.origin = 'bookings') then
    return;
  end if;

  -- Output of a flow is untrusted: only valid times in the future are accepted.
  next_at := array(
    select distinct t.at from (
      select case when pg_input_is_valid(a.at, 'timestamptz') and a.at ~ '^\d{4}-\d\d-\d\dT' then a.at::timestamptz(3) end as at from unnest(asked) a(at)) t
    where why = 'replaced' and t.at > now() and t.at <= now() + interval '400 days' order by t.at);
  if next_at = '{}' then
    -- Recorded, so that a run in progress that an earlier event brought plans no next one, nor a rerun of it. The newest record of each reason says it all.
    -- `last_at`: until when it is known, for longer than a run may be rerun.
    -- That no nudge is left stays so where a later state of the quote is not understood.
    if run.source <> 'schedule' or is_nudge then
      with gone as (
        delete from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'cancelled' and p.origin = 'run' and p.input = '{}'
          and p.reason <> 'moved' and (p.reason = 'answered') = is_answered and p.asked_by <= event_id returning p.reason
      )
      insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, asked_by, status, reason, ended_at)
      select run.partner_id, run.client_id, run.workflow_id, what, 'run', about, clock_timestamp(), clock_timestamp() + interval '100 days', '{}', event_id, 'cancelled',
        case when is_nudge or (not is_answered and exists (select from gone g where g.reason = 'done')) then 'done' else why end, now()
      on conflict do nothing;
    end if;
    return;
  end if;
  -- Bound on follow-ups per subject: a quote has six nudges at most.
  if (select count(*) from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'started') >= 24 then
    return;
  end if;
  insert into planned_run as p (partner_id, client_id, workflow_id, kind, origin, subject, label, due_at, last_at, input, asked_by, try_at)
  select run.partner_id, run.client_id, run.workflow_id, what, 'run', about, about_person, t.at,
    t.at + case what when 'nudge' then interval '7 days' else interval '59 minutes' end,
    -- Not from each nudge.
    case when what = 'nudge' and coalesce(event->>'sentAt', '') = '' then payload.input || jsonb_build_object('sentAt', iso_time(run.started_at)) else payload.input end,
    event_id, t.at
  from unnest(next_at) t(at)
  on conflict (workflow_id, subject, due_at) do update
    set status = 'waiting', reason = null, origin = 'run', input = excluded.input, label = excluded.label, asked_by = excluded.asked_by, try_at = excluded.try_at, last_at = excluded.last_at, ended_at = null
    where p.status = 'cancelled';
  if later is not null then perform go_on_with(run.workflow_id, about, event_id, later_input, later_event); end if;
end $$;
revoke execute on function plan_follow_up from public;
