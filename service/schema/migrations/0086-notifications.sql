-- Notifications per user: in the portal, by mail at once, or in the daily digest.

create table notification (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  user_id uuid not null references app_user on delete cascade,
  type text not null,
  tone text not null check (tone in ('ok', 'info', 'warn', 'bad')),
  title text not null,
  body text not null,
  href text not null,
  subject text not null,
  dedupe_key text not null,
  is_listed boolean not null default true,
  mail text not null check (mail in ('now', 'daily', 'off')),
  digested_at timestamptz(3),
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (user_id, dedupe_key)
);
comment on column notification.subject is 'notifications with the same subject are shown as one';
comment on column notification.dedupe_key is 'deduplication key: at most one notification per user and fact';
comment on column notification.is_listed is 'false when the user wants this type by mail only';
create index notification_partner on notification (partner_id, id desc);
create index notification_client on notification (client_id);
create index notification_bell on notification (user_id, id desc) where is_listed;
create index notification_unread on notification (user_id) where is_listed and read_at is null;
create index notification_digest_due on notification (user_id, id) where mail = 'daily' and digested_at is null;
create index notification_age on notification (created_at);
call fence('notification', 'client_id', 'select, insert, update');

create table notification_preference (
  user_id uuid not null references app_user on delete cascade,
  type text not null,
  partner_id uuid not null references partner,
  client_id uuid references client,
  in_app boolean not null,
  email text not null check (email in ('now', 'daily', 'off')),
  primary key (user_id, type)
);
create index notification_preference_partner on notification_preference (partner_id, user_id);
create index notification_preference_client on notification_preference (client_id);
call fence('notification_preference', 'client_id', 'select, insert, update');

-- Daily digests sent; the primary key allows one per user and day.
create table notification_digest (
  user_id uuid not null references app_user on delete cascade,
  day date not null,
  partner_id uuid not null references partner,
  items int not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, day)
);
comment on column notification_digest.day is 'the day in the time zone of the user';
create index notification_digest_partner on notification_digest (partner_id, user_id);
call fence('notification_digest', null, 'select');
