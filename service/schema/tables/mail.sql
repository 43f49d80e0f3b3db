-- A transactional mail. Its body is sealed until it is sent and erased afterwards.
create table mail (
  id                    uuid primary key,
  partner_id            uuid not null references partner,
  user_id               uuid references app_user on delete set null,
  invitation_id         uuid references invitation on delete set null,
  to_address            text not null,
  kind                  text not null,
  subject               text not null,
  status                text not null check (status in ('queued', 'held', 'sent', 'failed', 'not_configured', 'cancelled')),
  body_sealed           bytea,
  -- The data key that sealed the body; in rows of version 0.2.0 a master key.
  body_key_id           text,
  -- End of the mail's usefulness; its body is erased then at the latest.
  body_until            timestamptz(3) not null,
  dedupe_key            text,
  -- When the next try is due; during a try, the end of its lease; null once it has ended.
  due_at                timestamptz(3),
  -- Set by the claim, cleared by the result; still set: the process died while sending.
  sending_since         timestamptz(3),
  attempts              int not null default 0,
  -- Tries with unknown outcome; the second one ends the mail.
  interrupted           int not null default 0,
  away_count            int not null default 0,
  last_error            text,
  last_answer           text,
  created_at            timestamptz(3) not null default now(),
  sent_at               timestamptz(3),
  attachment_invoice_id uuid references invoice_document,
  attachment_name       text,
  attachment_bytes      int,
  -- The account that the mail names, as in notification.
  about_partner_id      uuid,
  about_client_id       uuid,
  -- Why it waited or waits for staff: too many mails to strangers, or the name of the agency or client.
  held_for              text check (held_for in ('cap', 'name')),
  -- Names of the agency and client that staff had not approved when it was held for them.
  held_names            text[],
  check ((status = 'queued') = (due_at is not null)),
  check ((body_sealed is null) = (body_key_id is null)),
  check (status not in ('sent', 'cancelled') or body_sealed is null),
  check ((status = 'sent') = (sent_at is not null)),
  check ((attachment_invoice_id is null) = (attachment_name is null) and (attachment_name is null) = (attachment_bytes is null)),
  constraint mail_held_for check (status <> 'held' or held_for is not null)
);
create index mail_partner on mail (partner_id, id desc);
create index mail_user on mail (user_id);
create index mail_invitation on mail (invitation_id) where invitation_id is not null;
create index mail_due on mail (due_at) where due_at is not null;
create index mail_body on mail (body_until) where body_sealed is not null;
create unique index mail_once on mail (partner_id, to_address, dedupe_key) where dedupe_key is not null;
create index mail_attachment on mail (attachment_invoice_id);
-- Rows of version 0.2.0 name a master key (at most 32 characters) instead of a data key (a UUID); such indexes find them until the service has sealed
-- them again.
create index mail_old_key on mail (id) where body_sealed is not null and length(body_key_id) <= 32;
create index mail_about on mail (about_partner_id, about_client_id) where about_partner_id is not null;
create index mail_held on mail (to_address) where status = 'held';
create index mail_held_of on mail (partner_id) where status = 'held';
-- Tenants enqueue mail through queue_mail and cannot read it: bodies contain links that grant access.
call fence('mail', null, 'select (id, partner_id, status)');
