-- Plans, partners, clients, users and invitations.

create table plan (
  id uuid primary key default uuidv7(),
  name text not null unique,
  description text not null,
  monthly_price_minor int not null check (monthly_price_minor >= 0),
  currency text not null default 'USD',
  included_seats int not null,
  included_clients int not null,
  monthly_credits int not null,
  seat_price_minor int not null,
  credit_packs jsonb not null default '[]',
  features jsonb not null,
  is_public boolean not null default true,
  is_trial boolean not null default false,
  trial_days int,
  is_active boolean not null default true,
  sort int not null default 0
);
grant select on plan to portal_tenant, portal_system;
grant insert, update on plan to portal_system;

create table partner (
  id uuid primary key default uuidv7(),
  partner_id uuid generated always as (id) stored,
  name text not null,
  slug text not null unique,
  status text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
  is_house boolean not null default false,
  automation_provider text,
  logo_url text,
  brand_color text,
  support_email text,
  website text,
  timezone text not null default 'UTC',
  internal_notes text,
  suspended_at timestamptz(3),
  suspension_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on column partner.is_house is 'the reserved partner of staff users: never listed, provisioned or billed';
create unique index partner_house on partner (is_house) where is_house;
create index partner_partner on partner (partner_id);
create index partner_created on partner (created_at desc, id desc);
call fence('partner', 'none', 'select, update');

create table client (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'archived', 'deleted')),
  contact_name text,
  contact_email text,
  phone text,
  website text,
  timezone text not null default 'UTC',
  industry text,
  external_ref text,
  notes text,
  business_profile jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index client_partner on client (partner_id, created_at desc, id desc);
call fence('client', 'id', 'select, insert, update');

create table app_user (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  email text not null unique check (email = lower(email)),
  full_name text not null default '',
  role text not null check (role in ('ADMIN', 'PARTNER', 'CLIENT')),
  partner_role text check (partner_role in ('admin', 'moderator')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  password_hash text,
  mfa_enabled boolean not null default false,
  avatar_url text,
  locale text not null default 'en-US',
  timezone text not null default 'UTC',
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  sessions_valid_from timestamptz(3) not null default now(),
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((role = 'CLIENT') = (client_id is not null)),
  check ((role = 'PARTNER') = (partner_role is not null))
);
create index app_user_partner on app_user (partner_id, created_at desc, id desc);
create index app_user_client on app_user (client_id);
call fence('app_user', 'client_id', 'select, insert, update, delete');

-- Revoked sessions, kept until their token expires.
create table revoked_session (
  jti uuid primary key,
  expires_at timestamptz(3) not null
);
create index revoked_session_expiry on revoked_session (expires_at);
grant select, insert, delete on revoked_session to portal_system;

create table subscription (
  id uuid primary key default uuidv7(),
  partner_id uuid not null unique references partner,
  plan_id uuid not null references plan,
  status text not null check (status in ('trialing', 'active', 'past_due', 'suspended', 'expired', 'cancelled')),
  current_period_start timestamptz(3) not null,
  current_period_end timestamptz(3) not null,
  trial_ends_at timestamptz(3),
  purchased_seats int not null default 0,
  overrides jsonb not null default '{}',
  cancel_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index subscription_plan on subscription (plan_id);
call fence('subscription');

create table invitation (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  kind text not null check (kind in ('owner', 'team', 'client_user')),
  email text not null,
  full_name text,
  partner_role text check (partner_role in ('admin', 'moderator')),
  token_hash bytea not null unique,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  invited_by uuid references app_user on delete set null,
  sent_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  resend_count int not null default 0,
  email_status text not null default 'not_configured' check (email_status in ('sent', 'failed', 'not_configured')),
  created_at timestamptz(3) not null default now(),
  check ((kind = 'client_user') = (client_id is not null))
);
comment on column invitation.status is '"expired" is not stored: a pending invitation whose expires_at has passed';
create index invitation_partner on invitation (partner_id, created_at desc, id desc);
create index invitation_client on invitation (client_id);
create index invitation_inviter on invitation (invited_by);
create unique index invitation_one_pending on invitation (partner_id, email) where status = 'pending';
call fence('invitation', null, 'select, insert, update');
