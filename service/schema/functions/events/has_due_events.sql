-- Returns whether events are due, so that an idle poll opens no transaction.
create or replace function has_due_events() returns boolean
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  select exists (select from event where due_at <= now())
$$;
revoke execute on function has_due_events from public;
grant execute on function has_due_events to portal_service;
