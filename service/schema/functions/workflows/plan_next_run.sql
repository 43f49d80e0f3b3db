-- Plans the follow-up a succeeded execution requested (output nextNudgeAt or nextReminderAt) in the statement that ends it, exactly once.
-- The newest request for a quote replaces a waiting one; an answer cancels it.
create or replace function plan_next_run() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  run execution;
  asked text := coalesce(new.output->>'nextNudgeAt', new.output->>'nextReminderAt');
  next_at timestamptz;
  what text := case when new.output ? 'nextReminderAt' then 'reminder' else 'nudge' end;
  about text;
begin
  select e.* into run from execution e where e.id = new.id;
  about := case
    when what = 'nudge' then 'quote:' || encode(sha256(convert_to(new.input->>'quoteUrl', 'UTF8')), 'hex')
    when coalesce(new.input->>'bookingUid', '') <> '' then 'booking:' || left(new.input->>'bookingUid', 200)
    else 'visit:' || encode(sha256(convert_to(concat_ws('|', new.input->>'startTime', new.input->>'attendeePhone', new.input->>'attendeeEmail', new.input->>'attendeeName'), 'UTF8')), 'hex')
  end;
  if run.status is distinct from 'SUCCEEDED' or about is null or not exists (select 1 from workflow w where w.id = run.workflow_id) then
    return null;
  end if;

  if what = 'nudge' then
    update planned_run p set status = 'cancelled', reason = case when new.output->>'reason' = 'answered' then 'answered' else 'replaced' end, try_at = null, ended_at = now()
    where p.id in (
      select o.id from planned_run o where o.workflow_id = run.workflow_id and o.subject = about and o.status = 'waiting' order by o.id for update);
    -- Stores the contacted mail address (finish_executions stores phone numbers), so that a sent nudge counts as a contact.
    if new.output->>'contacted' like '%@%' then
      insert into workflow_contact (partner_id, workflow_id, contact, last_at) values (run.partner_id, run.workflow_id, lower(left(new.output->>'contacted', 320)), now())
      on conflict (partner_id, workflow_id, contact) do update set last_at = excluded.last_at;
    end if;
    if new.output->>'reason' = 'answered' then
      -- Recorded, so that a nudge in progress does not plan the next one.
      insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, asked_by, status, reason, ended_at)
      values (run.partner_id, run.client_id, run.workflow_id, what, 'run', about, clock_timestamp(), clock_timestamp(), '{}', run.id, 'cancelled', 'answered', now())
      on conflict do nothing;
      return null;
    end if;
  end if;

  -- Output of a flow is untrusted: only a valid time in the future is accepted.
  if asked is null or not pg_input_is_valid(asked, 'timestamptz') or asked !~ '^\d{4}-\d\d-\d\dT' then
    return null;
  end if;
  next_at := asked::timestamptz;
  if next_at <= now() or next_at > now() + interval '400 days' then
    return null;
  end if;
  if what = 'nudge' and exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'cancelled' and p.reason = 'answered' and p.ended_at >= run.started_at) then
    return null;
  end if;
  -- The bookings schedule plans the reminders of known bookings itself.
  if what = 'reminder' and exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.origin = 'bookings') then
    return null;
  end if;
  -- Bound on follow-ups per subject: a quote has six nudges at most.
  if (select count(*) from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'started') >= 24 then
    return null;
  end if;
  insert into planned_run as p (partner_id, client_id, workflow_id, kind, origin, subject, label, due_at, last_at, input, asked_by, try_at)
  values (run.partner_id, run.client_id, run.workflow_id, what, 'run', about, left(coalesce(new.input->>'customerName', new.input->>'attendeeName', ''), 120), next_at,
    next_at + case what when 'nudge' then interval '7 days' else interval '59 minutes' end,
    -- A quote without a date counts from its first execution, not from each nudge.
    case when what = 'nudge' and coalesce(new.input->>'sentAt', '') = '' then new.input || jsonb_build_object('sentAt', iso_time(run.started_at)) else new.input end,
    run.id, next_at)
  on conflict (workflow_id, subject, due_at) do update
    set status = 'waiting', reason = null, input = excluded.input, label = excluded.label, asked_by = excluded.asked_by, try_at = excluded.try_at, last_at = excluded.last_at, ended_at = null
    where p.status = 'cancelled';
  return null;
end $$;
revoke execute on function plan_next_run from public;

create or replace trigger execution_payload_plans after update of output on execution_payload for each row
  when (new.output ?| array['nextNudgeAt', 'nextReminderAt', 'nudge'] or new.output->>'reason' = 'answered')
  execute function plan_next_run();
