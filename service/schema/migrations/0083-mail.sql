-- Transactional mail: one row per mail, its body sealed until it is sent.

create table mail (
  id uuid primary key,
  partner_id uuid not null references partner,
  user_id uuid references app_user on delete set null,
  invitation_id uuid references invitation on delete set null,
  to_address text not null,
  kind text not null,
  subject text not null,
  status text not null check (status in ('queued', 'sent', 'failed', 'not_configured', 'cancelled')),
  body_sealed bytea,
  body_key_id text,
  body_until timestamptz(3) not null,
  dedupe_key text,
  due_at timestamptz(3),
  sending_since timestamptz(3),
  attempts int not null default 0,
  interrupted int not null default 0,
  away_count int not null default 0,
  last_error text,
  last_answer text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  check ((status = 'queued') = (due_at is not null)),
  check ((body_sealed is null) = (body_key_id is null)),
  check (status not in ('sent', 'cancelled') or body_sealed is null),
  check ((status = 'sent') = (sent_at is not null))
);
comment on column mail.body_until is 'end of the mail''s usefulness; its body is erased then at the latest';
comment on column mail.due_at is 'when the next try is due; during a try, the end of its lease; null once it has ended';
comment on column mail.sending_since is 'set by the claim, cleared by the result; still set: the process died while sending';
comment on column mail.interrupted is 'tries with unknown outcome; the second one ends the mail';
create index mail_partner on mail (partner_id, id desc);
create index mail_user on mail (user_id);
create index mail_invitation on mail (invitation_id) where invitation_id is not null;
create index mail_due on mail (due_at) where due_at is not null;
create index mail_body on mail (body_until) where body_sealed is not null;
create index mail_body_key on mail (body_key_id, id) where body_sealed is not null;
create unique index mail_once on mail (partner_id, to_address, dedupe_key) where dedupe_key is not null;
-- Tenants enqueue mail through queue_mail and cannot read it: bodies contain links that grant access.
call fence('mail', null, 'select (id, partner_id, status)');

-- Null while the mail is queued: none of the three states is true yet.
alter table invitation alter column email_status drop not null;
comment on column invitation.email_status is 'null while the mail is queued; sent once the mail server has taken it';
