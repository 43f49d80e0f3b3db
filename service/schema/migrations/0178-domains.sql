-- Host names of agencies for their client portals. Several agencies may claim a host; the first that proves it has it.
create table partner_domain (
  partner_id uuid primary key references partner,
  host text not null check (host = lower(host) and length(host) <= 253),
  token text not null,
  status text not null default 'pending' check (status in ('pending', 'verified', 'failing')),
  problem text check (problem in ('record_missing', 'wrong_value', 'several_values', 'no_answer', 'taken')),
  checked_at timestamptz(3),
  verified_at timestamptz(3),
  missing_since timestamptz(3),
  due_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((status = 'pending') = (verified_at is null))
);
comment on column partner_domain.token is 'value of the TXT record; new for each claim, so that a record of an earlier owner proves nothing';
comment on column partner_domain.missing_since is 'since when checks of a verified host have not found the record';
comment on column partner_domain.due_at is 'when the next check is due';
create unique index partner_domain_verified on partner_domain (host) where status = 'verified';
create index partner_domain_due on partner_domain (due_at);
call fence('partner_domain', null, 'select, insert, update, delete');

-- Part of the larger plans: those with single sign-on.
update plan set features = features || jsonb_build_object('customDomain', coalesce((features->>'sso')::boolean, false));
