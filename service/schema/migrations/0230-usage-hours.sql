-- Usage by the hour of each agency and of all together: sums over long ranges read these, not the counters of every agent or the ledger.

-- `counter`: ended_runs (by the hour in which they began), ai_calls (AI tokens that belong to no run), or a kind of the ledger, by the hour of its
-- entries. Without a reference to the partner, like the ledger. Filled by fold_usage.
create table usage_hour (
  partner_id uuid not null,
  hour timestamptz(0) not null,
  counter text not null,
  credits int not null default 0,
  entries int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  contacted int not null default 0,
  helped int not null default 0,
  primary key (partner_id, hour, counter)
);
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

-- What was counted since usage_hour was last brought up to date: added in the transaction of its cause, and never changed there. Two transactions that
-- count for one agency at once do not wait for each other, and none can hold a sum while it waits for a quota. High turnover: vacuumed early.
create table usage_delta (
  id uuid primary key default uuidv7(),
  partner_id uuid not null,
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

-- Agencies whose usage from before this migration is not in usage_hour yet. Until fill_usage has added it, their sums are read from where it was counted.
create table usage_fill (
  partner_id uuid primary key
);
call fence('usage_fill');
-- All: one that has used nothing yet may do so before its triggers are there.
insert into usage_fill select p.id from partner p;
