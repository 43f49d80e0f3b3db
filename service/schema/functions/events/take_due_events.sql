-- Takes due events off the list, oldest first; another process takes others. Here and below rows are found by arrays of keys and not by a join, and
-- whole tables are never read: a plan that is made while a table is empty is kept, and would be the wrong one for a full one.
create or replace function take_due_events(batch int) returns setof event
language sql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  update event e set due_at = null where e.id = any (array(
    -- Times are kept to the millisecond and rounded, so an event may be due a moment after its own transaction began.
    select id from event where due_at <= now() + interval '1 millisecond' order by due_at limit batch for update skip locked))
  returning e.*
$$;
