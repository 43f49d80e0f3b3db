-- What a plan is about: the quote of an event, or its visit, by its id or else by its start and customer. Null for an event without a quote.
create or replace function plan_subject(kind text, event jsonb) returns text
language sql immutable set search_path = public, pg_temp as $$
  select case
    when kind = 'nudge' then 'quote:' || encode(sha256(convert_to(event->>'quoteUrl', 'UTF8')), 'hex')
    when coalesce(event->>'bookingUid', '') <> '' then 'booking:' || left(event->>'bookingUid', 200)
    else 'visit:' || encode(sha256(convert_to(concat_ws('|', event->>'startTime', event->>'attendeePhone', event->>'attendeeEmail', event->>'attendeeName'), 'UTF8')), 'hex')
  end
$$;
revoke execute on function plan_subject from public;

-- When the agent last reached one of these contacts, and mailed one of these addresses, about the quote or visit of the event: what plan_follow_up recorded.
-- What went out before that was recorded may have been about any quote or visit; it counts for an event, which may be repeated, and not for a planned run.
create or replace function sent_about(agent uuid, event jsonb, contacts text[], addresses text[], is_planned boolean)
returns table (contact_at timestamptz, mail_at timestamptz)
language sql stable set search_path = public, pg_temp as $$
  select max(p.due_at) filter (where n.contact = any(contacts)), max(p.due_at) filter (where n.contact = any(addresses))
  from unnest(contacts || addresses) n(contact)
  join planned_run p on p.workflow_id = agent and p.reason = 'sent'
    and p.subject = any(array[plan_subject('nudge', event) || ' ' || n.contact, plan_subject('reminder', event) || ' ' || n.contact, case when not is_planned then 'before ' || n.contact end])
  where event ?| array['quoteUrl', 'startTime', 'bookingUid']
$$;
revoke execute on function sent_about from public;
