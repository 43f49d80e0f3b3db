-- A time as events write it, in one spelling, so that two can be compared; another text as it is.
create or replace function instant(value text) returns text
language sql stable set timezone to 'UTC' as $$
  select case when pg_input_is_valid(value, 'timestamptz') then (value::timestamptz)::text else value end
$$;
revoke execute on function instant from public;

-- What a plan is about: the quote of an event, or its visit, by its id or else by its start and customer, each in one spelling. Null for an event without a quote.
create or replace function plan_subject(kind text, event jsonb) returns text
language sql stable set search_path = public, pg_temp as $$
  select case
    when kind = 'nudge' then 'quote:' || encode(sha256(convert_to(event->>'quoteUrl', 'UTF8')), 'hex')
    when btrim(event->>'bookingUid') <> '' then 'booking:' || left(btrim(event->>'bookingUid'), 200)
    else 'visit:' || encode(sha256(convert_to(concat_ws('|', instant(event->>'startTime'), event->>'attendeePhone', lower(event->>'attendeeEmail'), event->>'attendeeName'), 'UTF8')), 'hex')
  end
$$;
revoke execute on function plan_subject from public;

-- When the agent last reached one of these contacts, and mailed one of these addresses, about the quote or visit of the event: what plan_follow_up recorded.
-- What went out before that was recorded may have been about any quote or visit; it counts for an event, which may be repeated, and not for a planned run.
-- The subjects are made once, whole, and looked up in the unique index: a join may read every record of the agent, and make the subjects of each.
create or replace function sent_about(agent uuid, event jsonb, contacts text[], addresses text[], is_planned boolean)
returns table (contact_at timestamptz, mail_at timestamptz)
language sql stable set search_path = public, pg_temp as $$
  with about as materialized (
    select x.subject from unnest(array[plan_subject('nudge', event), plan_subject('reminder', event), case when not is_planned then 'before' end]) x(subject)
    where event ?| array['quoteUrl', 'startTime', 'bookingUid']
  )
  select
    (select max(p.due_at) from planned_run p where p.workflow_id = agent and p.reason = 'sent'
      and p.subject = any(array(select a.subject || ' ' || n.contact from about a cross join unnest(contacts) n(contact)))),
    (select max(p.due_at) from planned_run p where p.workflow_id = agent and p.reason = 'sent'
      and p.subject = any(array(select a.subject || ' ' || n.contact from about a cross join unnest(addresses) n(contact))))
$$;
revoke execute on function sent_about from public;
