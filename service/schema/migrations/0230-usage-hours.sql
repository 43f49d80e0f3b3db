-- Usage of each agency and of all together, by the hour and longer spans: sums over long ranges read these, not the counters of every agent or the ledger.

-- `counter`: ended_runs (by the hour in which they began), ai_calls (AI tokens that belong to no run), or a kind of the ledger, by the hour of its
-- entries. Without a reference to the partner, like the ledger. Filled by fold_usage.
create table usage_hour (
  partner_id uuid not null,
  hour timestamptz(0) not null,
  counter text not null,
  credits bigint not null default 0,
  entries int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  contacted int not null default 0,
  primary key (partner_id, hour, counter)
);
-- Of all agencies. Of the hour itself, the planner took it for those of one agency as well.
create index usage_hour_of_all on usage_hour (uuid_floor(hour));
comment on column usage_hour.credits is 'used credits are positive, unlike in the ledger';
call fence('usage_hour');

-- Of all agencies. It names none, and tenants may not read it.
create table platform_hour (
  hour timestamptz(0) not null,
  counter text not null,
  credits bigint not null default 0,
  entries bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  primary key (hour, counter)
);
grant select, insert, update, delete on platform_hour to portal_system;

-- What agencies and their agents used in days, months and years of UTC: sums over long ranges read a year instead of its hours. Of the ledger only what
-- sums by agency, client and agent show: ended_runs and ai_calls. Updated in place far more often than added to.
create table usage_span (
  partner_id uuid not null,
  span text not null check (span in ('day', 'month', 'year')),
  starts timestamptz(0) not null,
  counter text not null,
  credits bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  primary key (partner_id, span, starts, counter)
) with (fillfactor = 80);
create index usage_span_of_all on usage_span (span, starts);
call fence('usage_span');

-- Without an agent: AI tokens of the client, or of the agency itself, that belong to no run.
create table agent_span (
  partner_id uuid not null,
  span text not null check (span in ('day', 'month', 'year')),
  starts timestamptz(0) not null,
  workflow_id uuid,
  client_id uuid,
  credits bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  helped bigint not null default 0,
  constraint agent_span_key unique nulls not distinct (partner_id, span, starts, workflow_id, client_id)
) with (fillfactor = 80);
create index agent_span_of_all on agent_span (span, starts);
comment on column agent_span.helped is 'see workflow_hour';
call fence('agent_span');

-- What was counted since the sums were last brought up to date, of ended runs with the agent, of AI tokens without a run with the client: added in the transaction of its cause, and never changed there. Two transactions that
-- count for one agency at once do not wait for each other, and none can hold a sum while it waits for a quota. High turnover: vacuumed early.
create table usage_delta (
  id uuid primary key default uuidv7(),
  partner_id uuid not null,
  workflow_id uuid,
  client_id uuid,
  hour timestamptz(0) not null,
  counter text not null,
  credits int not null default 0,
  entries int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  contacted int not null default 0,
  helped int not null default 0
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index usage_delta_partner on usage_delta (partner_id, id);
call fence('usage_delta');

-- Agencies whose usage from before this migration is not in the sums yet. Until fill_usage has added it, their sums are read from where it was counted.
create table usage_fill (
  partner_id uuid primary key
);
call fence('usage_fill');
