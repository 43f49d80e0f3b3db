-- The monthly report: what an agency thinks a run saves, who gets the report by mail, and to whom it was sent.

create table hours_estimate (
  partner_id uuid not null references partner,
  template_name text not null,
  hours numeric(4, 2) not null check (hours between 0 and 40),
  updated_at timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
comment on table hours_estimate is 'the agency''s own estimate of what one run saves; without a row the catalog''s counts';
-- A client reads the hours its agents saved, which follow from it.
call fence('hours_estimate', 'none', 'select, insert, update, delete');

create table report_subscription (
  client_id uuid not null references client,
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  is_subscribed boolean not null,
  changed_by uuid not null,
  changed_at timestamptz(3) not null default now(),
  primary key (client_id, user_id)
);
comment on column report_subscription.changed_by is 'the user who chose it last; no reference, since the choice outlives them';
create index report_subscription_partner on report_subscription (partner_id, client_id);
create index report_subscription_user on report_subscription (user_id);
call fence('report_subscription', 'client_id', 'select, insert, update');

-- One row per client, month and person: what is sent once.
create table report_mail (
  client_id uuid not null references client,
  month date not null check (extract(day from month) = 1),
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  times int not null default 1,
  sent_at timestamptz(3) not null,
  primary key (client_id, month, user_id)
);
comment on column report_mail.times is 'how often: once by the calendar, and each time someone sends it by hand';
create index report_mail_partner on report_mail (partner_id, client_id);
create index report_mail_user on report_mail (user_id);
call fence('report_mail', 'client_id', 'select, insert, update');

-- A send by hand, so that a call that is repeated sends nothing twice.
create table report_send_key (
  partner_id uuid not null references partner,
  key_hash bytea not null,
  answer jsonb,
  created_at timestamptz(3) not null,
  primary key (partner_id, key_hash)
);
create index report_send_key_age on report_send_key (created_at);
call fence('report_send_key', null, 'select, insert, update');

-- What was run again: a report says how many failures were repaired. Only reruns are in it, so other runs pay nothing for it.
create index execution_rerun on execution (partner_id, client_id, id) where source = 'rerun';
