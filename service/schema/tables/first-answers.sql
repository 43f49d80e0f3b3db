-- The first answer to an Idempotency-Key, kept for 24 hours.
create table first_answer (
  partner_id uuid not null references partner,
  -- Set when a client's user sent the key.
  client_id  uuid references client on delete cascade,
  key_hash   bytea not null,
  -- Null for a key of 0.2.0.
  body_hash  bytea,
  -- Null until the call has its answer, which commits with its key.
  answer     jsonb,
  created_at timestamptz(3) not null,
  primary key (partner_id, key_hash)
);
create index first_answer_client on first_answer (client_id);
create index first_answer_age on first_answer (created_at);
call fence('first_answer', 'client_id', 'select, insert, update');
