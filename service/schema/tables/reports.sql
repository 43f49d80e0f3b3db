-- The monthly report: what a run saves, who gets it by mail, and to whom it was sent.

-- An agency's own estimate of the hours that one run saves; without a row the catalog's counts.
create table hours_estimate (
  partner_id    uuid not null references partner,
  template_name text not null,
  hours         numeric(4, 2) not null check (hours between 0 and 40),
  updated_at    timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
-- A client reads the hours its agents saved, which follow from it.
call fence('hours_estimate', 'none', 'select, insert, update, delete');

-- What an agency thinks one result of a template is worth to its clients, all in one currency; without rows its reports show no amounts.
create table result_value (
  partner_id    uuid not null references partner,
  template_name text not null,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  value_minor   int not null check (value_minor between 1 and 100000000),
  updated_at    timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
-- A client reads what its results are worth, which follows from it.
call fence('result_value', 'none', 'select, insert, update, delete');

-- Whether a user gets the monthly report of a client by mail; without a row they do not.
create table report_subscription (
  client_id     uuid not null references client,
  user_id       uuid not null references app_user on delete cascade,
  partner_id    uuid not null references partner,
  is_subscribed boolean not null,
  -- The user who chose it last; no reference, since the choice outlives them.
  changed_by    uuid not null,
  changed_at    timestamptz(3) not null default now(),
  primary key (client_id, user_id)
);
create index report_subscription_partner on report_subscription (partner_id, client_id);
create index report_subscription_user on report_subscription (user_id);
call fence('report_subscription', 'client_id', 'select, insert, update');

-- A monthly report that was sent: one row per client, month and user.
create table report_mail (
  client_id  uuid not null references client,
  month      date not null check (extract(day from month) = 1),
  user_id    uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  -- How often: once by the calendar, and each time someone sends it by hand.
  times      int not null default 1,
  sent_at    timestamptz(3) not null,
  primary key (client_id, month, user_id)
);
create index report_mail_partner on report_mail (partner_id, client_id);
create index report_mail_user on report_mail (user_id);
call fence('report_mail', 'client_id', 'select, insert, update');
