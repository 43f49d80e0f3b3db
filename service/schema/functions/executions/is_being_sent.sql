-- Whether a worker sends this execution or asks the engine for it, or its claim is younger than its time in the engine: no deadline from before counts.
create or replace function is_being_sent(run uuid) returns boolean
language sql stable as $$
  select exists (select from dispatch d where d.execution_id = run and d.claimed_until is not null
    and greatest(case when d.claimed_by is not null then d.claimed_until end, d.due_at + make_interval(mins => d.timeout_minutes)) > now())
$$;
revoke execute on function is_being_sent from public;
