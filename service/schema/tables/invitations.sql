-- An invitation by mail to an agency or a client. Its link is stored as a hash.
create table invitation (
  id                  uuid primary key default uuidv7(),
  partner_id          uuid not null references partner,
  client_id           uuid references client,
  kind                text not null check (kind in ('owner', 'team', 'client_user')),
  email               text not null,
  full_name           text,
  partner_role        text check (partner_role in ('admin', 'moderator')),
  token_hash          bytea not null unique,
  -- "expired" is not stored: a pending invitation whose expires_at has passed.
  status              text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  invited_by          uuid references app_user on delete set null,
  sent_at             timestamptz(3) not null default now(),
  expires_at          timestamptz(3) not null,
  accepted_at         timestamptz(3),
  revoked_at          timestamptz(3),
  resend_count        int not null default 0,
  -- Null while the mail is queued; sent once the mail server has taken it.
  email_status        text default 'not_configured' check (email_status in ('held', 'sent', 'failed', 'not_configured')),
  created_at          timestamptz(3) not null default now(),
  -- Hashes of links from before a resend: such a link is reported as replaced rather than unknown.
  former_token_hashes bytea[] not null default '{}',
  check ((kind = 'client_user') = (client_id is not null))
);
create index invitation_partner on invitation (partner_id, created_at desc, id desc);
create index invitation_client on invitation (client_id);
create index invitation_inviter on invitation (invited_by);
create unique index invitation_one_pending on invitation (partner_id, email) where status = 'pending';
create index invitation_former_links on invitation using gin (former_token_hashes);
call fence('invitation', null, 'select, insert, update');
