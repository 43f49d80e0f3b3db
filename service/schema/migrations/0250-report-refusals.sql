-- How many reports of runs were refused, by hour and reason. It names no account, and tenants may not read it. The reasons are a closed list, so that no
-- caller can add rows.
create table report_refusal (
  hour timestamptz(0) not null,
  reason text not null check (reason in ('bad_token', 'unknown_run', 'unreadable', 'invalid', 'too_large', 'rate_limited', 'unavailable')),
  reports bigint not null,
  primary key (hour, reason)
);
grant select, insert, update, delete on report_refusal to portal_system;
