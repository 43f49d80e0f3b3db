-- The outbox into the job queue. Tenants and the system may add jobs, through these two functions only: the queue's own
-- tables grant them nothing, so no tenant can read, change or cancel a job. The owner of these functions is a member of
-- portal_queue, which owns the queue's schema.

-- Adds one job in the caller's transaction. With a key, a job that still waits under the same key is replaced, so a
-- repeated cause leaves one consequence.
create function enqueue_job(
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

-- The same for many jobs of one kind in one statement; payloads and keys are parallel arrays, keys may be null as a whole.
create function enqueue_jobs(
  job text,
  payloads json[],
  keys text[] default null,
  run_at timestamptz default null,
  queue text default null,
  attempts_max integer default null
) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select graphile_worker.add_jobs(array(
    select row(job, one.payload, queue, run_at, attempts_max, one.key, null, null)::graphile_worker.job_spec
    from unnest(payloads, keys) with ordinality as one(payload, key, n)
    -- By key: two who add the same ones wait for each other in one order.
    order by one.key, one.n
  ));
$$;

revoke all on function enqueue_job(text, json, timestamptz, text, text, integer) from public;
revoke all on function enqueue_jobs(text, json[], text[], timestamptz, text, integer) from public;
grant execute on function enqueue_job(text, json, timestamptz, text, text, integer) to portal_tenant, portal_system;
grant execute on function enqueue_jobs(text, json[], text[], timestamptz, text, integer) to portal_tenant, portal_system;

-- Request counters shared by several processes. Unlogged: a crash forgets them, which is fine for speeds (promises such as
-- five MFA tries are columns). The one table the login role uses outside a transaction; it names no tenant's data.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
grant select, insert, update, delete on rate_limit to portal_service;
