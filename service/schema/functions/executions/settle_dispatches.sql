-- Ends claims: what is done is handed over (under_way), what is to be retried is rescheduled, and leaves those without an answer claimed by no worker until the
-- engine is asked. Only the worker that holds the claim of this attempt may release it: another may have taken it over after the lease, or it was
-- released by a call whose response was lost.
create or replace function settle_dispatches(worker text, done uuid[], again uuid[], again_attempts int[], again_in_ms int[], missed boolean[],
  asked uuid[], asked_attempts int[], ask_in_ms int[]) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  -- Lock order of all writers of the queue: executions, then the queue, each by execution. Executions may end while they are settled. The deadline of
  -- one that waited counts from its claim; of the others it does within a few seconds.
  select 1 from execution e where e.id in (select d.execution_id from dispatch d where d.execution_id = any(done) and d.due_at > d.created_at + interval '5 seconds')
    order by e.id for update;
  select 1 from dispatch d where d.execution_id = any(done || again || asked) order by d.execution_id for update;
  with gone as (
    delete from dispatch d where d.execution_id = any(done) returning d.execution_id, d.partner_id, d.workflow_id, d.created_at, d.due_at, d.timeout_minutes, d.contact
  ), moved as (
    update execution e set due_at = g.due_at + make_interval(mins => g.timeout_minutes) from gone g
    where e.id = g.execution_id and e.status = 'RUNNING' and g.due_at > g.created_at + interval '5 seconds' and g.timeout_minutes is not null
  )
  insert into under_way (execution_id, partner_id, workflow_id, handed_at, ask_at, contact)
  select g.execution_id, g.partner_id, g.workflow_id, g.due_at, g.due_at + interval '1 minute', g.contact from gone g
  on conflict do nothing;
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
