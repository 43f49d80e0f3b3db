-- First steps that an agency no longer wants to see. Whether a step is done is not stored: it is read from the account's data.
create table onboarding_dismissal (
  partner_id   uuid not null references partner,
  -- "all" hides the whole list.
  key          text not null check (key in ('client', 'key', 'agent', 'sample', 'event', 'team', 'webhook', 'all')),
  dismissed_by uuid references app_user on delete set null,
  dismissed_at timestamptz(3) not null default now(),
  primary key (partner_id, key)
);
create index onboarding_dismissal_author on onboarding_dismissal (dismissed_by);
call fence('onboarding_dismissal', null, 'select, insert, delete');
