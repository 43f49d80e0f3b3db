-- What people outside a client opened of its data: once per person, part and day, so that reading costs no write each time.

create table client_look (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  user_id uuid references app_user on delete set null,
  user_name text,
  is_staff boolean not null,
  kind text not null check (kind in ('runs', 'conversations', 'exports')),
  day date not null,
  at timestamptz(3) not null default now()
);
comment on column client_look.user_name is 'copied: the client cannot read the user; null for staff';
create index client_look_partner on client_look (partner_id, id desc);
create index client_look_client on client_look (client_id, id desc);
create unique index client_look_once on client_look (client_id, user_id, kind, day);
create index client_look_user on client_look (user_id);
create index client_look_age on client_look (at);
call fence('client_look', 'client_id', 'select, insert');

create index credential_use_client on credential_use (client_id, id desc) where client_id is not null;
