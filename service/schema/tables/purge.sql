-- The removal of accounts.

-- The removal of an account whose deletion is due. Rows outlive the account and hold no names.
create table purge (
  deletion_request_id uuid primary key references deletion_request,
  partner_id          uuid not null references partner,
  client_id           uuid references client,
  status              text not null default 'running' check (status in ('running', 'waiting', 'completed')),
  waiting_for         text check (waiting_for in ('engine')),
  started_at          timestamptz(3) not null,
  finished_at         timestamptz(3),
  -- The worker whose writes count; each write checks it, so that a worker that lost its claim changes nothing more.
  claimed_by          uuid,
  claimed_until       timestamptz(3),
  -- When it continues; null once it has ended.
  due_at              timestamptz(3) default now(),
  -- Rows are searched for once every transaction up to this one has ended: a later one finds the account deleted.
  barrier             xid8,
  check ((status = 'waiting') = (waiting_for is not null)),
  check ((status = 'completed') = (finished_at is not null)),
  check ((claimed_by is null) = (claimed_until is null))
);
create index purge_client on purge (client_id);
create index purge_open on purge (started_at) where status <> 'completed';
create index purge_due on purge (due_at) where due_at is not null;
create index purge_partner on purge (partner_id, deletion_request_id);
call fence('purge');

-- A step of a purge, in order.
create table purge_step (
  deletion_request_id uuid not null references purge on delete cascade,
  position            int not null,
  partner_id          uuid not null references partner,
  name                text not null,
  status              text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'waiting')),
  rows_removed        bigint not null default 0,
  tries               int not null default 0,
  -- Why the last try did not finish, for staff.
  problem             text,
  started_at          timestamptz(3),
  finished_at         timestamptz(3),
  primary key (deletion_request_id, position),
  unique (deletion_request_id, name)
);
create index purge_step_partner on purge_step (partner_id, deletion_request_id, position);
call fence('purge_step');
