-- The host name of an agency's client portal. Several agencies may claim a host; the first that proves it has it.
create table partner_domain (
  partner_id    uuid primary key references partner,
  host          text not null check (host = lower(host) and length(host) <= 253),
  -- Value of the TXT record; new for each claim, so that a record of an earlier owner proves nothing.
  token         text not null,
  status        text not null default 'pending' check (status in ('pending', 'verified', 'failing')),
  problem       text check (problem in ('record_missing', 'wrong_value', 'several_values', 'no_answer', 'taken', 'no_address')),
  checked_at    timestamptz(3),
  verified_at   timestamptz(3),
  -- Since when checks of a verified host have not found the record.
  missing_since timestamptz(3),
  -- When the next check is due.
  due_at        timestamptz(3) not null default now(),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  -- Whether the name servers' last answer about the host had an address.
  has_address   boolean not null default false,
  check ((status = 'pending') = (verified_at is null))
);
create unique index partner_domain_verified on partner_domain (host) where status = 'verified';
create index partner_domain_due on partner_domain (due_at);
call fence('partner_domain', null, 'select, insert, update, delete');
