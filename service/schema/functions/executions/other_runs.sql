-- Other runs of the agent for the same contact that were claimed and have not ended: earlier ones, also between two attempts, or any when this one is sent for the first time, so that of two
-- at least one goes on. `claimed`: the runs of this claim.
create or replace function other_runs(run dispatch, claimed uuid[]) returns table (execution_id uuid, at timestamptz, texts boolean)
language sql stable as $$
  select o.execution_id, o.at, o.texts from (
    select u.execution_id, u.handed_at, true from under_way u where u.workflow_id = run.workflow_id and u.contact = run.contact
    union all
    select d.execution_id, d.due_at, d.texts from dispatch d
    where d.partner_id = run.partner_id and d.claimed_until is not null and d.workflow_id = run.workflow_id and d.contact = run.contact
    union all
    select d.execution_id, now(), d.texts from dispatch d
    where d.partner_id = run.partner_id and d.attempts > 0 and d.claimed_until is null and d.workflow_id = run.workflow_id and d.contact = run.contact
      and d.execution_id < run.execution_id) o(execution_id, at, texts)
  where o.execution_id < run.execution_id or (run.attempts = 1 and o.execution_id <> all(claimed))
$$;
revoke execute on function other_runs from public;

-- When such a run about the same quote, or the same visit at the same time, was claimed, and one whose event has one of these addresses: it may be writing to them
-- (sent_about knows what has ended). A run that was answered, cancelled or not confirmed, or that is not sent (ended_plan), writes to no one. Only the newest runs
-- for a contact are looked at.
create or replace function being_sent_about(run dispatch, claimed uuid[], event jsonb, addresses text[]) returns table (contact_at timestamptz, mail_at timestamptz)
language sql stable as $$
  with about as materialized (select 1 where event ?| array['quoteUrl', 'startTime', 'bookingUid'])
  select max(o.at), max(o.at) filter (where exists (select from jsonb_each_text(e.other) v where lower(v.value) = any(addresses)))
  from about cross join lateral (select x.execution_id, x.at from other_runs(run, claimed) x order by x.execution_id desc limit 20) o
    join execution_payload p on p.partner_id = run.partner_id and p.id = o.execution_id
    cross join lateral (select p.input || coalesce(p.understood, '{}') as other offset 0) e
  where (coalesce(e.other->>'sentAt', '') = '' or coalesce(event->>'sentAt', '') = '' or instant(e.other->>'sentAt') is not distinct from instant(event->>'sentAt'))
    and array[instant(e.other->>'startTime'), plan_subject('nudge', e.other), plan_subject('reminder', e.other)]
      is not distinct from array[instant(event->>'startTime'), plan_subject('nudge', event), plan_subject('reminder', event)]
    and not e.other @> any(array['{"answered": true}', '{"cancelled": true}', '{"confirmed": false}']::jsonb[])
    and ended_plan(run.partner_id, run.workflow_id, o.execution_id, e.other) is null
$$;
revoke execute on function being_sent_about from public;
