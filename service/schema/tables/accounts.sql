-- The end of an account and the way back.

-- A request to delete an agency or a client, and its decision.
create table deletion_request (
  id              uuid primary key default uuidv7(),
  partner_id      uuid not null references partner,
  client_id       uuid references client,
  scope           text not null check (scope in ('partner', 'client')),
  account_name    text not null,
  reason          text not null,
  status          text not null default 'pending' check (status in ('pending', 'approved', 'completed', 'rejected', 'cancelled')),
  -- Status of the account before the approval, which a reactivation restores.
  previous_status text,
  requested_by    uuid references app_user on delete set null,
  decided_by      uuid references app_user on delete set null,
  decision_note   text,
  purge_after     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  decided_at      timestamptz(3),
  completed_at    timestamptz(3),
  -- The side that asked; it stays known when the person is not visible to the reader, or gone.
  requester_role  text not null check (requester_role in ('PARTNER', 'CLIENT')),
  decider_role    text check (decider_role in ('ADMIN', 'PARTNER', 'CLIENT')),
  check ((scope = 'client') = (client_id is not null)),
  check ((status in ('approved', 'completed')) <= (purge_after is not null)),
  check ((status = 'completed') = (completed_at is not null))
);
create index deletion_request_partner on deletion_request (partner_id, id desc);
create index deletion_request_client on deletion_request (client_id);
create index deletion_request_requester on deletion_request (requested_by);
create index deletion_request_decider on deletion_request (decided_by);
create index deletion_request_due on deletion_request (purge_after) where status = 'approved';
create unique index deletion_request_one_open on deletion_request (partner_id, client_id) nulls not distinct where status in ('pending', 'approved');
call fence('deletion_request', 'client_id', 'select, insert, update');

-- A request to reactivate a suspended agency or client, and its decision.
create table reactivation_request (
  id             uuid primary key default uuidv7(),
  partner_id     uuid not null references partner,
  client_id      uuid references client,
  scope          text not null check (scope in ('partner', 'client')),
  message        text not null,
  status         text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  requested_by   uuid references app_user on delete set null,
  decided_by     uuid references app_user on delete set null,
  decision_note  text,
  created_at     timestamptz(3) not null default now(),
  decided_at     timestamptz(3),
  requester_role text not null check (requester_role in ('PARTNER', 'CLIENT')),
  -- Null while pending, and when the account was resumed without a decision about the request.
  decider_role   text check (decider_role in ('ADMIN', 'PARTNER')),
  check ((scope = 'client') = (client_id is not null))
);
create index reactivation_request_partner on reactivation_request (partner_id, id desc);
create index reactivation_request_client on reactivation_request (client_id);
create index reactivation_request_requester on reactivation_request (requested_by);
create index reactivation_request_decider on reactivation_request (decided_by);
create unique index reactivation_request_one_pending on reactivation_request (partner_id, client_id) nulls not distinct where status = 'pending';
call fence('reactivation_request', 'client_id', 'select, insert, update');
