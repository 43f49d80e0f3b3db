-- Enqueues one job in the caller's transaction; with a key, it replaces a waiting job with the same key. Tenants and the system enqueue through
-- these functions only: they have no rights on the queue's tables. The functions' owner is a member of portal_queue, which owns them.
create or replace function enqueue_job(
  job text,
  payload json,
  run_at timestamptz default null,
  key text default null,
  queue text default null,
  attempts_max integer default null
) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select graphile_worker.add_job(
    identifier := job, payload := payload, run_at := run_at, job_key := key, queue_name := queue, max_attempts := attempts_max
  );
$$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to portal_tenant, portal_system;

-- Enqueues many jobs of one kind; payloads, keys and priorities are parallel arrays, the latter two may be null as a whole. Due jobs with a smaller
-- priority run first; the default is 0.
create or replace function enqueue_jobs(
  job text,
  payloads json[],
  keys text[] default null,
  run_at timestamptz default null,
  queue text default null,
  attempts_max integer default null,
  priorities integer[] default null
) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select graphile_worker.add_jobs(array(
    select row(job, one.payload, queue, run_at, attempts_max, one.key, one.priority, null)::graphile_worker.job_spec
    from unnest(payloads, keys, priorities) with ordinality as one(payload, key, priority, n)
    -- Ordered by key: concurrent callers lock the same jobs in the same order.
    order by one.key, one.n
  ));
$$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to portal_tenant, portal_system;
