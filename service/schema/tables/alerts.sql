-- Alerts.

-- Thresholds of an agency's alerts; without a row the defaults apply. Thresholds of usage are in partner_quota.
create table alert_rules (
  partner_id     uuid primary key references partner,
  -- Number of failed executions in a row after which an agent counts as failing.
  failure_streak int not null default 3 check (failure_streak between 1 and 100),
  -- Days without an execution after which an active agent counts as silent.
  silent_days    int not null default 7 check (silent_days between 1 and 90)
);
call fence('alert_rules', null, 'select, insert, update');
-- Agent health is shown to clients too, by the same rules.
create policy client_reads on alert_rules for select to portal_tenant using (partner_id = (select app_partner()));

-- Users who get alerts by mail; without a row, every admin of the agency does.
create table alert_recipient (
  partner_id uuid not null references partner,
  user_id    uuid not null references app_user on delete cascade,
  primary key (partner_id, user_id)
);
create index alert_recipient_user on alert_recipient (user_id);
call fence('alert_recipient', null, 'select, insert, delete');

-- An alert about an account, opened and resolved by the service according to the agency's rules.
create table alert (
  id              uuid primary key default uuidv7(),
  partner_id      uuid not null references partner,
  client_id       uuid references client,
  rule            text not null check (rule in ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid',
    'credential_unverified', 'sso_certificate', 'provisioning_failed', 'chatbot_failing', 'chatbot_budget', 'first_contacts', 'no_worker')),
  severity        text not null check (severity in ('info', 'warning', 'critical')),
  status          text not null default 'open' check (status in ('open', 'acknowledged', 'resolved')),
  subject_type    text not null,
  subject_id      text not null,
  subject_label   text not null,
  message         text not null,
  opened_at       timestamptz(3) not null default now(),
  acknowledged_at timestamptz(3),
  acknowledged_by uuid references app_user on delete set null,
  resolved_at     timestamptz(3),
  resolved_by     uuid references app_user on delete set null,
  note            text,
  -- When its condition ended; an alert resolved earlier by a user does not reopen before that.
  cleared_at      timestamptz(3),
  check ((status = 'resolved') = (resolved_at is not null)),
  check (cleared_at is null or status = 'resolved')
);
create unique index alert_one_current on alert (partner_id, rule, subject_id) where cleared_at is null;
create index alert_partner on alert (partner_id, id desc);
create index alert_client on alert (client_id, id desc);
create index alert_acknowledger on alert (acknowledged_by);
create index alert_resolver on alert (resolved_by);
call fence('alert', null, 'select, update');
