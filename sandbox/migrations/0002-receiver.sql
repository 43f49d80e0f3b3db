-- Receivers of signed webhooks: what a customer's own system would keep. Several secrets, so that one can be replaced by another.
create table sandbox.receiver (
  name text not null,
  secret text not null,
  at timestamptz not null default now(),
  primary key (name, secret)
);
