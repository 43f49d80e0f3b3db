-- The engine is back: what waits only because it was away is due again in the order in which it came, instead of each at the end of its own wait.
create function release_delayed_dispatches() returns void
language sql security definer set search_path = public, pg_temp as $$
  update dispatch set due_at = created_at where due_at > now() and claimed_until is null and misses = 0
$$;

revoke execute on function release_delayed_dispatches from public;
grant execute on function release_delayed_dispatches to portal_service;
