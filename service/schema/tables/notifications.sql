-- Notifications of users.

-- A notification of a user: in the portal, by mail at once, or in the daily digest.
create table notification (
  id               uuid primary key default uuidv7(),
  partner_id       uuid not null references partner,
  client_id        uuid references client,
  user_id          uuid not null references app_user on delete cascade,
  type             text not null,
  tone             text not null check (tone in ('ok', 'info', 'warn', 'bad')),
  title            text not null,
  body             text not null,
  href             text not null,
  -- Notifications with the same subject are shown as one.
  subject          text not null,
  -- Deduplication key: at most one notification per user and fact.
  dedupe_key       text not null,
  -- False when the user wants this type by mail only.
  is_listed        boolean not null default true,
  mail             text not null check (mail in ('now', 'daily', 'off')),
  digested_at      timestamptz(3),
  read_at          timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  -- The agency that the text names, which is not that of a recipient of the staff. No reference, since the row goes with the account.
  about_partner_id uuid,
  about_client_id  uuid,
  unique (user_id, dedupe_key)
);
create index notification_partner on notification (partner_id, id desc);
create index notification_client on notification (client_id);
create index notification_bell on notification (user_id, id desc) where is_listed;
create index notification_digest_due on notification (user_id, id) where mail = 'daily' and digested_at is null;
create index notification_age on notification (created_at);
create index notification_about on notification (about_partner_id, about_client_id);
call fence('notification', 'client_id', 'select, insert, update');

-- How a user wants to be notified of a type; without a row the default of the type applies.
create table notification_preference (
  user_id    uuid not null references app_user on delete cascade,
  type       text not null,
  partner_id uuid not null references partner,
  client_id  uuid references client,
  in_app     boolean not null,
  email      text not null check (email in ('now', 'daily', 'off')),
  primary key (user_id, type)
);
create index notification_preference_partner on notification_preference (partner_id, user_id);
create index notification_preference_client on notification_preference (client_id);
call fence('notification_preference', 'client_id', 'select, insert, update');

-- Daily digests that were sent; the primary key allows one per user and day.
create table notification_digest (
  user_id    uuid not null references app_user on delete cascade,
  -- The day in the time zone of the user.
  day        date not null,
  partner_id uuid not null references partner,
  items      int not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, day)
);
create index notification_digest_partner on notification_digest (partner_id, user_id, day);
call fence('notification_digest', null, 'select');
