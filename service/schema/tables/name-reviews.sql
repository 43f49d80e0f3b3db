-- Names that resemble protected ones.

-- The name of an agency or client that resembles a protected one. Until it is approved, the account's mail to strangers is held.
create table name_review (
  id         uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id  uuid references client on delete cascade,
  name       text not null,
  resembles  text not null,
  status     text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  note       text,
  decided_by uuid references app_user on delete set null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id),
  check ((status = 'pending') = (decided_at is null))
);
create index name_review_client on name_review (client_id);
create index name_review_decided_by on name_review (decided_by);
create index name_review_pending on name_review (created_at) where status = 'pending';
call fence('name_review', 'client_id', 'select, insert, update, delete');

-- The version of the rule about names with which all saved names were compared.
create table name_rule (
  version int not null
);
create unique index name_rule_once on name_rule ((true));
grant select, update on name_rule to portal_system;

-- No name has been compared with any version of the rule yet.
insert into name_rule values (0);
