-- Who opened lists over all clients of an agency: one row per person, part and day, however many clients there are. Each client's access log decides
-- whether its rows were among what was opened.

create table agency_look (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  user_id uuid references app_user on delete set null,
  user_name text,
  is_staff boolean not null,
  kind text not null check (kind in ('runs', 'run_exports', 'conversations', 'conversation_exports')),
  first_id uuid not null,
  last_id uuid not null,
  day date not null,
  at timestamptz(3) not null default now()
);
comment on column agency_look.user_name is 'copied: a client cannot read the user; null for staff';
comment on column agency_look.first_id is 'the oldest of the runs shown that day; ids of conversations are random and say nothing';
create index agency_look_partner on agency_look (partner_id, id desc);
create unique index agency_look_once on agency_look (partner_id, user_id, kind, day);
create index agency_look_user on agency_look (user_id);
create index agency_look_age on agency_look (at);
call fence('agency_look', null, 'select, insert, update');

-- For whom a key of the agency was used: its client, and the agent.
alter table credential_use add column served_client_id uuid, add column workflow_id uuid;
create index credential_use_served on credential_use (served_client_id, id desc) where served_client_id is not null;
