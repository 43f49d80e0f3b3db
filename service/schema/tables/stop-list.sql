-- The stop list: contacts that the agents of a client no longer text, why, and since which run.
create table opt_out (
  partner_id   uuid not null references partner,
  client_id    uuid references client,
  contact      text not null,
  at           timestamptz(3) not null default now(),
  id           uuid primary key default uuidv7(),
  -- How it was recognized: a word in a text, the phone provider's field, an agent (its language model), or the side that added it by hand.
  reason       text not null default 'agent' check (reason in ('word', 'provider', 'agent', 'agency', 'client')),
  -- The run that brought it, kept when that run was deleted.
  execution_id uuid,
  note         text check (length(note) <= 500),
  added_by     uuid references app_user on delete set null,
  unique nulls not distinct (partner_id, client_id, contact)
);
create index opt_out_client on opt_out (client_id);
create index opt_out_list on opt_out (partner_id, client_id, id desc);
create index opt_out_added_by on opt_out (added_by);
call fence('opt_out', 'client_id', 'select');
grant insert (partner_id, client_id, contact, reason, note, added_by), delete on opt_out to portal_tenant;
