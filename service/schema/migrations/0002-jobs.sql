-- The outbox into the job queue. Tenants and the system may add jobs, through these two functions only: the queue's own
-- tables grant them nothing, so no tenant can read, change or cancel a job. The owner of these functions is a member of
-- portal_queue, which owns the queue's schema.

-- Request counters shared by several processes. Unlogged: a crash forgets them, which is fine for speeds (promises such as
-- five MFA tries are columns). The one table the login role uses outside a transaction; it names no tenant's data.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
grant select, insert, update, delete on rate_limit to portal_service;
