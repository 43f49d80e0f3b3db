-- Mail to addresses without an account that waits for staff, and names of agencies and clients that staff look at.
alter table mail drop constraint mail_status_check;
alter table mail add constraint mail_status_check check (status in ('queued', 'held', 'sent', 'failed', 'not_configured', 'cancelled'));
alter table mail add column held_for text check (held_for in ('cap', 'name'));
alter table mail add constraint mail_held_for check (status <> 'held' or held_for is not null);
comment on column mail.held_for is 'why it waited or waits for staff: too many mails to strangers, or the name of the agency or client';
create index mail_held on mail (to_address) where status = 'held';
create index mail_held_of on mail (partner_id) where status = 'held';
alter table invitation drop constraint invitation_email_status_check;
alter table invitation add constraint invitation_email_status_check check (email_status in ('held', 'sent', 'failed', 'not_configured'));

-- The name of an agency or client that resembles a protected one. A row without `approved` holds its mail to strangers.
create table name_review (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client on delete cascade,
  name text not null,
  resembles text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  note text,
  decided_by uuid references app_user on delete set null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id),
  check ((status = 'pending') = (decided_at is null))
);
create index name_review_client on name_review (client_id);
create index name_review_decided_by on name_review (decided_by);
create index name_review_pending on name_review (created_at) where status = 'pending';
call fence('name_review', 'client_id', 'select, insert, update, delete');

-- Which version of the rule about names every saved name was compared with.
create table name_rule (version int not null);
create unique index name_rule_once on name_rule ((true));
insert into name_rule values (0);
grant select, update on name_rule to portal_system;
