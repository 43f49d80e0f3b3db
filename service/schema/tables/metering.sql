-- The ledger of credits, quotas, and usage by hour and longer spans.

-- The ledger of credits: positive when credits are added, negative when used. The entry of a run has the run's id, so the primary key makes metering
-- happen exactly once.
create table usage_entry (
  id           uuid not null,
  kind         text not null check (kind in ('run', 'ai_tokens', 'purchase', 'grant', 'adjustment')),
  partner_id   uuid not null,
  client_id    uuid,
  workflow_id  uuid,
  execution_id uuid,
  credits      int not null,
  note         text not null default '',
  at           timestamptz(3) not null default now(),
  primary key (id, kind)
) partition by range (id);
create index usage_entry_partner on usage_entry (partner_id, id desc);
create index usage_entry_client on usage_entry (partner_id, client_id, id desc);
call fence('usage_entry', 'client_id');
call partition_by_month('usage_entry');

-- The credits of an agency's present period, changed by guarded updates only. A run reserves its credits (in_flight) until it ends.
create table partner_quota (
  partner_id                uuid primary key references partner,
  period_start              timestamptz(3) not null,
  period_end                timestamptz(3) not null,
  monthly_credits           int not null,
  -- Purchased credits left at the start of this period; they do not expire.
  purchased_credits         int not null default 0,
  used                      int not null default 0,
  in_flight                 int not null default 0 check (in_flight >= 0),
  thresholds                int[] not null default '{50,80,100}',
  -- The highest usage threshold published in this period; each is published once.
  highest_threshold         int not null default 0,
  failed_on                 date,
  -- Runs that failed on failed_on (UTC) and cost no credits.
  failed_free               int not null default 0,
  period_anchor             timestamptz(3) not null,
  chat_share_percent        int not null default 40 check (chat_share_percent between 0 and 100),
  chat_conversation_credits int not null default 60 check (chat_conversation_credits >= 0),
  chat_visitor_credits      int not null default 120 check (chat_visitor_credits >= 0),
  chatbot_credits           int not null default 300 check (chatbot_credits >= 0),
  chat_used                 int not null default 0,
  chat_in_flight            int not null default 0 check (chat_in_flight >= 0),
  -- The share in credits when it had no room for an answer in this period.
  chat_share_reached        int,
  -- The credits without the reserve for events, when these had no room for an answer in this period.
  chat_reserve_reached      int,
  chat_budgets_changed_at   timestamptz(3)
);
create index partner_quota_chat_reached on partner_quota (partner_id) where chat_share_reached is not null or chat_reserve_reached is not null;
call fence('partner_quota');
-- Alert rules of an agency hold the thresholds of its usage.
grant update (thresholds) on partner_quota to portal_tenant;
grant update (chat_share_percent, chat_conversation_credits, chat_visitor_credits, chatbot_credits,
  chat_budgets_changed_at) on partner_quota to portal_tenant;

-- Runs of an agent per hour, counted when a run ends: charts and totals never scan runs.
create table workflow_hour (
  partner_id  uuid not null references partner,
  workflow_id uuid not null,
  client_id   uuid,
  hour        timestamptz(0) not null,
  succeeded   int not null default 0,
  failed      int not null default 0,
  credits     int not null default 0,
  contacted   int not null default 0,
  -- Succeeded executions without those an agent skipped on purpose (quiet hours, opted out).
  helped      int not null default 0,
  primary key (partner_id, workflow_id, hour)
);
create index workflow_hour_by_hour on workflow_hour (partner_id, hour);
create index workflow_hour_client on workflow_hour (partner_id, client_id, hour);
call fence('workflow_hour', 'client_id');

-- Closed periods of partner_quota. Like the ledger it has no reference to the partner, whose row the check would lock: ingest closes periods while it
-- holds partner_quota, and other transactions hold the partner while they wait for partner_quota.
create table quota_period (
  partner_id        uuid not null,
  period_start      timestamptz(3) not null,
  period_end        timestamptz(3) not null,
  monthly_credits   int not null,
  -- Purchased credits before those taken.
  purchased_credits int not null,
  used              int not null,
  -- Purchased credits used beyond the monthly ones; the ledger entry of the roll-over has the same number.
  taken             int not null check (taken between 0 and purchased_credits),
  primary key (partner_id, period_start)
);
call fence('quota_period');

-- Usage of an agency by hour: sums over long ranges read this instead of the counters of every agent or the ledger. `counter` is ended_runs (by the
-- hour in which they began), ai_calls (AI tokens that belong to no run), or a kind of the ledger, by the hour of its entries. Filled by fold_usage.
create table usage_hour (
  partner_id uuid not null,
  hour       timestamptz(0) not null,
  counter    text not null,
  -- Used credits are positive, unlike in the ledger.
  credits    bigint not null default 0,
  entries    int not null default 0,
  succeeded  int not null default 0,
  failed     int not null default 0,
  contacted  int not null default 0,
  primary key (partner_id, hour, counter)
);
-- Hours of all agencies. An index of the hour itself would be chosen for the hours of one agency too.
create index usage_hour_of_all on usage_hour (uuid_floor(hour));
call fence('usage_hour');

-- Usage of all agencies by hour. It names none, and tenants may not read it.
create table platform_hour (
  hour      timestamptz(0) not null,
  counter   text not null,
  credits   bigint not null default 0,
  entries   bigint not null default 0,
  succeeded bigint not null default 0,
  failed    bigint not null default 0,
  primary key (hour, counter)
);
grant select, insert, update, delete on platform_hour to portal_system;

-- Usage of an agency by day, month and year (UTC): sums over long ranges read a year instead of its hours. Holds the counters that are summed by
-- agency, client and agent: ended_runs and ai_calls. Rows are updated in place far more often than added.
create table usage_span (
  partner_id uuid not null,
  span       text not null check (span in ('day', 'month', 'year')),
  starts     timestamptz(0) not null,
  counter    text not null,
  credits    bigint not null default 0,
  succeeded  bigint not null default 0,
  failed     bigint not null default 0,
  primary key (partner_id, span, starts, counter)
) with (fillfactor = 80);
create index usage_span_of_all on usage_span (span, starts);
call fence('usage_span');

-- Usage of an agent by day, month and year (UTC). Without an agent: AI tokens of the client, or of the agency itself, that belong to no run.
create table agent_span (
  partner_id  uuid not null,
  span        text not null check (span in ('day', 'month', 'year')),
  starts      timestamptz(0) not null,
  workflow_id uuid,
  client_id   uuid,
  credits     bigint not null default 0,
  succeeded   bigint not null default 0,
  failed      bigint not null default 0,
  -- As in workflow_hour.
  helped      bigint not null default 0,
  constraint agent_span_key unique nulls not distinct (partner_id, span, starts, workflow_id, client_id)
) with (fillfactor = 80);
create index agent_span_of_all on agent_span (span, starts);
call fence('agent_span');

-- Usage that is not in the sums yet: ended runs with their agent, AI tokens without a run with their client. Rows are added in the transaction of
-- their cause and never changed there, so that two transactions that count for one agency do not wait for each other. High turnover: vacuumed early.
create table usage_delta (
  id          uuid primary key default uuidv7(),
  partner_id  uuid not null,
  workflow_id uuid,
  client_id   uuid,
  hour        timestamptz(0) not null,
  counter     text not null,
  credits     int not null default 0,
  entries     int not null default 0,
  succeeded   int not null default 0,
  failed      int not null default 0,
  contacted   int not null default 0,
  helped      int not null default 0
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index usage_delta_partner on usage_delta (partner_id, id);
call fence('usage_delta');

-- Credits used and held on a day (UTC) by a conversation, by the visitors of one network, or by a chatbot.
create table chat_spending (
  partner_id    uuid not null references partner,
  scope         text not null check (scope in ('conversation', 'visitor', 'chatbot')),
  -- Id of the conversation or chatbot; for a visitor a keyed hash of the network, from which no address follows.
  subject       uuid not null,
  day           date not null,
  used          int not null default 0,
  held          int not null default 0 check (held >= 0),
  -- The budget of a chatbot when it had no room for an answer on this day.
  reached_limit int,
  primary key (partner_id, scope, subject, day)
);
create index chat_spending_day on chat_spending (day);
create index chat_spending_reached on chat_spending (day) where reached_limit is not null;
call fence('chat_spending');
