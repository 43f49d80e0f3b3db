-- Ends claims: deletes finished dispatches, reschedules those to be retried, and leaves those without an answer claimed by no worker until the
-- engine is asked. Only the worker that holds the claim of this attempt may release it: another may have taken it over after the lease, or it was
-- released by a call whose response was lost.
create or replace function settle_dispatches(worker text, done uuid[], again uuid[], again_attempts int[], again_in_ms int[], missed boolean[],
  asked uuid[], asked_attempts int[], ask_in_ms int[]) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  -- Lock order of all writers of the queue: by execution. Executions may end while they are settled.
  select 1 from dispatch d where d.execution_id = any(done || again || asked) order by d.execution_id for update;
  delete from dispatch where execution_id = any(done);
  update dispatch d set claimed_by = null, claimed_until = null, due_at = now() + make_interval(secs => a.wait_ms / 1000.0), misses = d.misses + a.missed::int
  from unnest(again, again_attempts, again_in_ms, missed) as a(execution_id, attempts, wait_ms, missed)
  where d.execution_id = a.execution_id and d.claimed_by = worker and d.attempts = a.attempts;
  update dispatch d set claimed_by = null, claimed_until = now() + make_interval(secs => a.wait_ms / 1000.0)
  from unnest(asked, asked_attempts, ask_in_ms) as a(execution_id, attempts, wait_ms)
  where d.execution_id = a.execution_id and d.claimed_by = worker and d.attempts = a.attempts;
$$;
revoke execute on function settle_dispatches from public;
grant execute on function settle_dispatches to portal_service;

-- After a claim whose response was lost: what it claimed was never sent, so it is due again. `held` are the claims this worker knows of.
create or replace function release_unknown_claims(worker text, held uuid[]) returns int
language sql security definer set search_path = public, pg_temp as $$
  with lost as materialized (
    select d.execution_id from dispatch d where d.claimed_by = worker and d.claimed_until is not null and d.execution_id <> all(held)
    order by d.execution_id for update
  ), released as (
    update dispatch d set claimed_by = null, claimed_until = null, due_at = d.created_at from lost l where d.execution_id = l.execution_id returning 1
  ) select count(*)::int from released
$$;
revoke execute on function release_unknown_claims from public;
grant execute on function release_unknown_claims to portal_service;

-- Ends the leases of all other workers, which are dead: this process is the only one that uses the database.
create or replace function expire_dispatch_leases(worker text) returns int
language sql security definer set search_path = public, pg_temp as $$
  with held as materialized (
    select d.execution_id from dispatch d where d.claimed_until > now() and d.claimed_by is distinct from worker order by d.execution_id for update
  ), expired as (
    update dispatch d set claimed_until = now() from held h where d.execution_id = h.execution_id returning 1
  ) select count(*)::int from expired
$$;
revoke execute on function expire_dispatch_leases from public;
grant execute on function expire_dispatch_leases to portal_service;
