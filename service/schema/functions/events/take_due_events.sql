-- Claims due events, oldest first; concurrent processes claim different ones. Rows are found by an array of keys instead of a join, and
-- sequential scans are off: the plan is cached and may have been made while the table was empty.
create or replace function take_due_events(batch int) returns setof event
language sql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  update event e set due_at = null where e.id = any (array(
    -- due_at is rounded to milliseconds, so it may lie just after the start of its own transaction.
    select id from event where due_at <= now() + interval '1 millisecond' order by due_at limit batch for update skip locked))
  returning e.*
$$;
