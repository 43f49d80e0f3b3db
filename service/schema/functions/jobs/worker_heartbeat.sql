-- Notes that a process takes jobs, by the database's clock. `takes_jobs` false is the start of a process that takes none: it only begins the wait for one.
create or replace function note_worker(takes_jobs boolean) returns void
language sql security definer set search_path = public, pg_temp
as $$
  insert into worker_heartbeat values (true, now())
  on conflict (id) do update set seen_at = excluded.seen_at where takes_jobs;
$$;
revoke execute on function note_worker from public;
grant execute on function note_worker to portal_service;

-- When a worker was last seen, and whether none has been for a minute, which is six beats. Without a row no process has started yet.
create or replace function worker_state(out seen_at timestamptz, out is_silent boolean)
language sql stable security definer set search_path = public, pg_temp
as $$
  select max(h.seen_at), coalesce(max(h.seen_at) < now() - interval '60 seconds', false) from worker_heartbeat h;
$$;
revoke execute on function worker_state from public;
grant execute on function worker_state to portal_service, portal_system;
