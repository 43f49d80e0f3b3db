-- The audit log, and who looked at whose data.

-- The audit log: who did what, when and from where. Entries are added in the transaction of the change and never updated.
create table audit_entry (
  id           uuid not null default uuidv7(),
  partner_id   uuid not null,
  client_id    uuid,
  at           timestamptz(3) not null default now(),
  actor_type   text not null check (actor_type in ('user', 'system', 'staff')),
  actor_id     uuid,
  actor_email  text,
  actor_via    text,
  action       text not null,
  target_type  text,
  target_id    text,
  target_label text,
  result       text not null default 'ok' check (result in ('ok', 'refused')),
  changes      jsonb not null default '{}',
  ip           text,
  user_agent   text,
  request_id   text,
  primary key (id)
) partition by range (id);
create index audit_entry_partner on audit_entry (partner_id, id desc);
create index audit_entry_target on audit_entry (partner_id, target_type, target_id, id desc);
-- One index per filter used alone; all others scan a bounded window (service/modules/1-ledger/audit/store.ts).
create index audit_entry_action on audit_entry (partner_id, action, id desc);
create index audit_entry_client on audit_entry (partner_id, client_id, id desc) where client_id is not null;
create index audit_entry_refused on audit_entry (partner_id, id desc) where result = 'refused';
call fence('audit_entry', null, 'select, insert');
-- Actions of client users are recorded too, but only the partner may read them.
create policy client_writes on audit_entry for insert to portal_tenant
  with check (partner_id = (select app_partner()) and (client_id is null or client_id = (select app_client())));
call partition_by_month('audit_entry', keep_days => 365, keep_while => 'at > now() - make_interval(days => (select longest_audit_days()))');

-- People outside a client who opened its data: one row per person, part and day, so that reading does not write each time.
create table client_look (
  id         uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id  uuid not null references client,
  user_id    uuid references app_user on delete set null,
  -- Copied: the client cannot read the user; null for staff.
  user_name  text,
  is_staff   boolean not null,
  kind       text not null check (kind in ('runs', 'conversations', 'exports')),
  day        date not null,
  at         timestamptz(3) not null default now()
);
create index client_look_partner on client_look (partner_id, id desc);
create index client_look_client on client_look (client_id, id desc);
create unique index client_look_once on client_look (client_id, user_id, kind, day);
create index client_look_user on client_look (user_id);
create index client_look_age on client_look (at);
call fence('client_look', 'client_id', 'select, insert');

-- People who opened a list over all clients of an agency: one row per person, part and day, for any number of clients. The access log of each client
-- decides whether its rows were among those opened.
create table agency_look (
  id         uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  user_id    uuid references app_user on delete set null,
  -- Copied: a client cannot read the user; null for staff.
  user_name  text,
  is_staff   boolean not null,
  kind       text not null check (kind in ('runs', 'run_exports', 'conversations', 'conversation_exports')),
  -- The oldest of the runs shown that day; ids of conversations are random and say nothing.
  first_id   uuid not null,
  last_id    uuid not null,
  day        date not null,
  at         timestamptz(3) not null default now()
);
create index agency_look_partner on agency_look (partner_id, id desc);
create unique index agency_look_once on agency_look (partner_id, user_id, kind, day);
create index agency_look_user on agency_look (user_id);
create index agency_look_age on agency_look (at);
call fence('agency_look', null, 'select, insert, update');
