-- From version 0.2.0 to the tables of version 1.0.0. A start runs the steps that a database has not applied, in one transaction, and then records
-- that it has the tables (platform/db/baseline.ts, docs/upgrading.md). Each step was a migration of its own, so a database of the time between
-- has applied some of them. A comment says why something was changed when it was; what holds now is said in tables/.

-- step 0111-dispatch-lookups
-- Claims are looked up by partner, so that one with many unanswered dispatches does not delay the others.
drop index dispatch_claims;
create index dispatch_claims on dispatch (partner_id, claimed_until) where claimed_until is not null;
comment on column dispatch.claimed_by is 'the worker that dispatches it or asks the engine about it; null with claimed_until: no worker until then';
comment on column dispatch.due_at is 'when it may be sent; of a claimed one when it was claimed, so that nothing was sent before';

-- step 0112-event-bytes
-- What the dispatcher holds is counted in bytes; of an event accepted before, the most it may have is assumed.
alter table dispatch add column bytes int not null default 262144 check (bytes between 0 and 262144);
comment on column dispatch.bytes is 'size of the event as JSON';

alter table partner_quota add column failed_on date, add column failed_free int not null default 0;
comment on column partner_quota.failed_free is 'runs that failed on failed_on (UTC) and cost no credits';

-- step 0113-saml-certificates
-- Each certificate of a provider is tried on a signature: at most five, each once.

update sso_connection set idp_certificates = (
  select array_agg(certificate order by first_at)
  from (
    select certificate, min(at) as first_at
    from unnest(idp_certificates) with ordinality as listed (certificate, at)
    group by certificate order by 2 limit 5
  ) as kept
)
where cardinality(idp_certificates) > 1;

alter table sso_connection add check (cardinality(idp_certificates) <= 5);

-- step 0114-bulk-reruns
-- Reruns of many failed runs: what was requested, and each original with what became of it. An original is in one request at a time.
create table rerun_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  workflow_id uuid not null,
  total int not null,
  audit jsonb not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
comment on column rerun_request.audit is 'who asked for it, as the audit entry of each rerun records it';
create index rerun_request_partner on rerun_request (partner_id, id desc);
create index rerun_request_open on rerun_request (partner_id, id) where finished_at is null;
call fence('rerun_request', null, 'select, insert, update, delete');

create table rerun_item (
  execution_id uuid primary key,
  partner_id uuid not null references partner,
  request_id uuid not null references rerun_request on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'started', 'refused')),
  reason text
);
create index rerun_item_partner on rerun_item (partner_id);
create index rerun_item_request on rerun_item (request_id, state, execution_id);
call fence('rerun_item', null, 'select, insert, update, delete');

-- step 0120-billing
-- Billing: terms with an anchored period, orders, unbilled and billed lines, invoices and what is frozen when one is issued.

alter table subscription
  add period_anchor timestamptz(3),
  add currency text,
  add granted_seats int not null default 0,
  add pending_seat_release int not null default 0 check (pending_seat_release >= 0),
  add pending_plan_id uuid references plan,
  add pending_overrides jsonb,
  add past_due_since timestamptz(3),
  add clock_paused_at timestamptz(3),
  add clock_paused_reason text,
  add check (purchased_seats >= 0),
  add check ((clock_paused_at is null) = (clock_paused_reason is null)),
  add check ((pending_plan_id is null) = (pending_overrides is null));
update subscription s set period_anchor = s.current_period_start, currency = (select p.currency from plan p where p.id = s.plan_id);
-- Subscriptions kept their first period until now. Each is in the present one; those before billing are not charged.
update subscription s set current_period_start = at.period_start, current_period_end = at.period_end
from (
  select n.id, (n.anchored + make_interval(months => n.months)) at time zone 'UTC' as period_start,
    (n.anchored + make_interval(months => n.months + 1)) at time zone 'UTC' as period_end
  from (
    select a.id, a.period_anchor at time zone 'UTC' as anchored,
      (select max(m) from generate_series(0, 1200) m where (a.period_anchor at time zone 'UTC' + make_interval(months => m)) at time zone 'UTC' <= now()) as months
    from subscription a where a.current_period_end <= now()
  ) n
) at where at.id = s.id;
alter table subscription alter period_anchor set not null, alter currency set not null;
comment on column subscription.period_anchor is 'boundaries of periods are whole months after it, the day clamped to the month';
comment on column subscription.granted_seats is 'seats given by staff, not charged';
comment on column subscription.pending_seat_release is 'purchased seats that end with the period, as far as they are free then';
comment on column subscription.pending_plan_id is 'plan and overrides that replace the present ones when the period ends';
create index subscription_due on subscription (current_period_end, partner_id) where status in ('trialing', 'active', 'past_due', 'suspended');
create index subscription_pending_plan on subscription (pending_plan_id);

alter table partner add suspension_cause text check (suspension_cause in ('manual', 'billing', 'policy', 'deletion_approved'));
update partner p set suspension_cause = case
    when exists (select 1 from subscription s where s.partner_id = p.id and s.status in ('expired', 'suspended')) then 'billing' else 'manual' end
  where p.suspended_at is not null;
comment on column partner.suspension_cause is 'a payment lifts only a suspension by billing';

alter table partner_quota add period_anchor timestamptz(3);
update partner_quota q set period_anchor = coalesce((select s.period_anchor from subscription s where s.partner_id = q.partner_id), q.period_start);
alter table partner_quota alter period_anchor set not null;

-- The agency itself sets how many seats end with the period; with the right it may also lock its subscription while it buys.
grant update (pending_seat_release) on subscription to portal_tenant;

-- Closed periods of the meter: what each used and took of the purchased credits. Like the ledger it has no reference to the partner, whose row
-- the check would lock: ingest closes periods while it holds the meter, and others hold the partner while they want the meter.
create table quota_period (
  partner_id uuid not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  monthly_credits int not null,
  purchased_credits int not null,
  used int not null,
  taken int not null check (taken between 0 and purchased_credits),
  primary key (partner_id, period_start)
);
comment on column quota_period.purchased_credits is 'purchased credits before those taken';
comment on column quota_period.taken is 'purchased credits used beyond the monthly ones; the usage entry of the roll-over has the same number';
call fence('quota_period');

-- The ledger explains all purchased credits from here on.
insert into usage_entry (id, kind, partner_id, credits, note)
select uuidv7(), 'grant', q.partner_id, q.purchased_credits, 'Purchased credits when billing began' from partner_quota q where q.purchased_credits > 0;

-- Who pays: changed by the agency; tax by staff.
create table billing_profile (
  partner_id uuid primary key references partner,
  billing_email text,
  tax_id text,
  address text,
  country text check (country ~ '^[A-Z]{2}$'),
  tax_rate_basis_points int not null default 0 check (tax_rate_basis_points between 0 and 10000),
  tax_note text,
  updated_at timestamptz(3) not null default now()
);
call fence('billing_profile', null, 'select, insert, update');

create table billing_order (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  kind text not null check (kind in ('seats', 'credits')),
  quantity int not null check (quantity > 0),
  unit_price_minor int not null check (unit_price_minor >= 0),
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  pack_id text,
  credits int,
  status text not null default 'confirmed' check (status in ('confirmed', 'invoiced', 'void')),
  ordered_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  check ((kind = 'credits') = (pack_id is not null and credits is not null))
);
create index billing_order_partner on billing_order (partner_id, id desc);
create index billing_order_orderer on billing_order (ordered_by);
call fence('billing_order', null, 'select, insert');

-- Idempotency-Key of a purchase, adjustment or credit note, with its first answer.
create table billing_key (
  partner_id uuid not null references partner,
  key_hash bytea not null,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (partner_id, key_hash)
);
create index billing_key_age on billing_key (created_at);
call fence('billing_key', null, 'select, insert, update');

-- What staff add or take without charge: credits or seats. Never changed, only countered by another one.
create table billing_adjustment (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  credits int,
  seats int,
  note text not null,
  adjusted_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  check ((credits is null) <> (seats is null)),
  check (coalesce(credits, seats) <> 0)
);
create index billing_adjustment_partner on billing_adjustment (partner_id, id desc);
create index billing_adjustment_adjuster on billing_adjustment (adjusted_by);
call fence('billing_adjustment');

create table invoice (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  kind text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
  status text not null default 'draft' check (status in ('draft', 'issued', 'paid', 'void')),
  number text unique,
  currency text not null,
  period_start timestamptz(3),
  period_end timestamptz(3),
  subtotal_minor bigint not null default 0,
  tax_rate_basis_points int not null default 0,
  tax_note text,
  tax_minor bigint not null default 0,
  total_minor bigint not null default 0,
  seller jsonb,
  buyer jsonb,
  issued_at timestamptz(3),
  due_at timestamptz(3),
  paid_at timestamptz(3),
  paid_reference text,
  voided_at timestamptz(3),
  void_reason text,
  payment_instructions text,
  credits_invoice_id uuid references invoice,
  credit_reason text,
  mailed_at timestamptz(3),
  reminders_sent int not null default 0,
  created_at timestamptz(3) not null default now(),
  check ((kind = 'credit_note') = (credits_invoice_id is not null)),
  check (total_minor = subtotal_minor + tax_minor),
  check ((number is null) = (issued_at is null)),
  check ((status in ('issued', 'paid')) <= (number is not null and seller is not null and buyer is not null))
);
comment on column invoice.seller is 'identity of the seller, frozen when issued; buyer likewise';
comment on column invoice.mailed_at is 'when its mail was queued; set once';
comment on column invoice.reminders_sent is 'how many of the reminders after the due date were sent';
create index invoice_partner on invoice (partner_id, id desc);
create index invoice_overdue on invoice (due_at) where status = 'issued' and kind = 'invoice';
create index invoice_credited on invoice (credits_invoice_id);
create index invoice_unmailed on invoice (issued_at) where mailed_at is null and status in ('issued', 'paid');
create index invoice_issued on invoice (issued_at) where number is not null;
create unique index invoice_one_per_period on invoice (partner_id, period_start) where kind = 'invoice' and status <> 'void' and period_start is not null;
call fence('invoice');

-- One line of an invoice; without an invoice it waits for the next one.
create table invoice_line (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  invoice_id uuid references invoice,
  position int not null default 0,
  kind text not null check (kind in ('plan', 'seats', 'credits', 'plan_credit', 'credit_note')),
  description text not null,
  quantity int not null,
  unit_price_minor int not null,
  amount_minor bigint not null,
  currency text not null,
  period_start timestamptz(3),
  period_end timestamptz(3),
  order_id uuid references billing_order,
  created_at timestamptz(3) not null default now()
);
create index invoice_line_invoice on invoice_line (invoice_id);
create index invoice_line_waiting on invoice_line (partner_id, id) where invoice_id is null;
create index invoice_line_order on invoice_line (order_id);
call fence('invoice_line', null, 'select, insert');

-- The last number given in a year. Taken in the transaction that issues, so numbers have no gaps.
create table invoice_number (
  year int primary key,
  last int not null
);
grant select, insert, update on invoice_number to portal_system;

-- The PDF of an issued invoice. Stored once, never replaced.
create table invoice_document (
  invoice_id uuid primary key references invoice,
  partner_id uuid not null references partner,
  content bytea not null check (octet_length(content) <= 4194304),
  sha256 bytea not null,
  created_at timestamptz(3) not null default now()
);
create index invoice_document_partner on invoice_document (partner_id);
call fence('invoice_document');

-- A mail may carry the document of an invoice, read when it is sent.
alter table mail
  add attachment_invoice_id uuid references invoice_document,
  add attachment_name text,
  add attachment_bytes int,
  add check ((attachment_invoice_id is null) = (attachment_name is null) and (attachment_name is null) = (attachment_bytes is null));
create index mail_attachment on mail (attachment_invoice_id);

-- step 0130-account-lifecycle
-- The end of an account and the way back: deletion and reactivation requests, purges, exports; and the files an account owns.

alter table client
  add suspended_at timestamptz(3),
  add suspension_reason text,
  add suspension_cause text check (suspension_cause in ('manual', 'deletion_approved'));
update client set suspended_at = updated_at, suspension_cause = 'manual' where status = 'suspended';
comment on column client.suspension_cause is 'null while the client is not suspended';

-- Bytes of exports, media and invoices. Written once: a file is readable from `completed_at` on and never changes.
create table file (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  purpose text not null check (purpose in ('export', 'media', 'invoice')),
  content_type text not null,
  chunk_bytes int not null check (chunk_bytes > 0),
  size_bytes bigint,
  sha256 bytea,
  completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((completed_at is null) = (size_bytes is null) and (size_bytes is null) = (sha256 is null))
);
comment on column file.chunk_bytes is 'every chunk but the last has this many bytes, so that a range is found without reading what is before it';
create index file_partner on file (partner_id, id);
create index file_client on file (client_id);
create index file_incomplete on file (created_at) where completed_at is null;
call fence('file', 'client_id', 'select, insert, update, delete');

create table file_chunk (
  file_id uuid not null references file on delete cascade,
  n int not null check (n >= 0),
  partner_id uuid not null references partner,
  client_id uuid references client,
  content bytea not null check (octet_length(content) between 1 and 1048576),
  primary key (file_id, n)
);
-- Images and archives are compressed already.
alter table file_chunk alter content set storage external;
create index file_chunk_partner on file_chunk (partner_id, file_id);
create index file_chunk_client on file_chunk (client_id);
call fence('file_chunk', 'client_id', 'select, insert, delete');

-- Images and documents that people upload. `key` is the unguessable part of the address.
create table media (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  purpose text not null check (purpose in ('general', 'logo', 'avatar')),
  key text not null unique check (length(key) >= 32),
  filename text not null,
  alt_text text not null default '',
  content_type text not null,
  size_bytes bigint not null,
  width int,
  height int,
  file_id uuid not null references file,
  uploaded_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now()
);
comment on column media.size_bytes is 'of the file and its variants together: what counts for the quota';
create index media_partner on media (partner_id, id desc);
create index media_client on media (client_id);
create index media_file on media (file_id);
create index media_uploader on media (uploaded_by);
call fence('media', 'client_id', 'select, insert, update, delete');

-- A media image at another size.
create table media_variant (
  media_id uuid not null references media on delete cascade,
  name text not null,
  partner_id uuid not null references partner,
  client_id uuid references client,
  content_type text not null,
  width int not null,
  height int not null,
  file_id uuid not null references file,
  primary key (media_id, name)
);
create index media_variant_partner on media_variant (partner_id, media_id);
create index media_variant_client on media_variant (client_id);
create index media_variant_file on media_variant (file_id);
call fence('media_variant', 'client_id', 'select, insert, delete');

alter table partner add logo_media_id uuid references media on delete set null;
create index partner_logo on partner (logo_media_id) where logo_media_id is not null;
alter table app_user add avatar_media_id uuid references media on delete set null;
create index app_user_avatar on app_user (avatar_media_id) where avatar_media_id is not null;

create table deletion_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  scope text not null check (scope in ('partner', 'client')),
  account_name text not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'completed', 'rejected', 'cancelled')),
  previous_status text,
  requested_by uuid references app_user on delete set null,
  decided_by uuid references app_user on delete set null,
  decision_note text,
  purge_after timestamptz(3),
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  completed_at timestamptz(3),
  check ((scope = 'client') = (client_id is not null)),
  check ((status in ('approved', 'completed')) <= (purge_after is not null)),
  check ((status = 'completed') = (completed_at is not null))
);
comment on column deletion_request.previous_status is 'status of the account before the approval, which a reactivation restores';
create index deletion_request_partner on deletion_request (partner_id, id desc);
create index deletion_request_client on deletion_request (client_id);
create index deletion_request_requester on deletion_request (requested_by);
create index deletion_request_decider on deletion_request (decided_by);
create index deletion_request_due on deletion_request (purge_after) where status = 'approved';
create unique index deletion_request_one_open on deletion_request (partner_id, client_id) nulls not distinct where status in ('pending', 'approved');
call fence('deletion_request', 'client_id', 'select, insert, update');

create table reactivation_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  scope text not null check (scope in ('partner', 'client')),
  message text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  requested_by uuid references app_user on delete set null,
  decided_by uuid references app_user on delete set null,
  decision_note text,
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  check ((scope = 'client') = (client_id is not null))
);
create index reactivation_request_partner on reactivation_request (partner_id, id desc);
create index reactivation_request_client on reactivation_request (client_id);
create index reactivation_request_requester on reactivation_request (requested_by);
create index reactivation_request_decider on reactivation_request (decided_by);
create unique index reactivation_request_one_pending on reactivation_request (partner_id, client_id) nulls not distinct where status = 'pending';
call fence('reactivation_request', 'client_id', 'select, insert, update');

-- A purge removes an account whose deletion is due. Rows outlive the account: they hold no names.
create table purge (
  deletion_request_id uuid primary key references deletion_request,
  partner_id uuid not null references partner,
  client_id uuid references client,
  status text not null default 'running' check (status in ('running', 'waiting', 'completed')),
  waiting_for text check (waiting_for in ('engine')),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((status = 'waiting') = (waiting_for is not null)),
  check ((status = 'completed') = (finished_at is not null))
);
create index purge_partner on purge (partner_id);
create index purge_client on purge (client_id);
create index purge_open on purge (started_at) where status <> 'completed';
call fence('purge');

create table purge_step (
  deletion_request_id uuid not null references purge on delete cascade,
  position int not null,
  partner_id uuid not null references partner,
  name text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'waiting')),
  rows_removed bigint not null default 0,
  tries int not null default 0,
  problem text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (deletion_request_id, position),
  unique (deletion_request_id, name)
);
comment on column purge_step.problem is 'why the last try did not finish, for staff';
create index purge_step_partner on purge_step (partner_id);
call fence('purge_step');

create table account_export (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  scope text not null check (scope in ('partner', 'client')),
  status text not null default 'pending' check (status in ('pending', 'running', 'ready', 'expired', 'failed')),
  percent int not null default 0 check (percent between 0 and 100),
  requested_by uuid references app_user on delete set null,
  file_id uuid references file on delete set null,
  size_bytes bigint,
  tries int not null default 0,
  lease_until timestamptz(3),
  error text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  check ((scope = 'client') = (client_id is not null)),
  check ((status = 'running') = (lease_until is not null)),
  check ((status = 'ready') <= (size_bytes is not null and expires_at is not null))
);
comment on column account_export.lease_until is 'a running export whose lease has ended was interrupted and is started again';
create index account_export_partner on account_export (partner_id, id desc);
create index account_export_client on account_export (client_id);
create index account_export_requester on account_export (requested_by);
create index account_export_file on account_export (file_id);
create index account_export_open on account_export (created_at) where status in ('pending', 'running');
create index account_export_expiry on account_export (expires_at) where status = 'ready';
create unique index account_export_one_open on account_export (partner_id, client_id) nulls not distinct where status in ('pending', 'running');
call fence('account_export', 'client_id', 'select, insert');

-- step 0131-invoice-files
-- The documents of invoices are files, as exports and media.
alter table invoice_document disable trigger user;
alter table invoice_document add file_id uuid;
update invoice_document set file_id = uuidv7();
insert into file (id, partner_id, purpose, content_type, chunk_bytes, size_bytes, sha256, completed_at, created_at)
  select file_id, partner_id, 'invoice', 'application/pdf', 262144, octet_length(content), sha256, created_at, created_at from invoice_document;
insert into file_chunk (file_id, n, partner_id, content)
  select d.file_id, n, d.partner_id, substring(d.content from n * 262144 + 1 for 262144)
  from invoice_document d cross join lateral generate_series(0, (octet_length(d.content) - 1) / 262144) n
  where octet_length(d.content) > 0;
alter table invoice_document
  alter file_id set not null,
  add unique (file_id),
  add foreign key (file_id) references file,
  drop column content,
  drop column sha256;
alter table invoice_document enable trigger user;

-- step 0134-account-requests
-- Which side made a request and which decided it: the side stays known when the person is not visible to the reader, or gone.
alter table deletion_request
  add requester_role text not null default 'PARTNER' check (requester_role in ('PARTNER', 'CLIENT')),
  add decider_role text check (decider_role in ('ADMIN', 'PARTNER', 'CLIENT'));
alter table deletion_request alter requester_role drop default;
alter table reactivation_request
  add requester_role text not null default 'PARTNER' check (requester_role in ('PARTNER', 'CLIENT')),
  add decider_role text check (decider_role in ('ADMIN', 'PARTNER'));
alter table reactivation_request alter requester_role drop default;
comment on column reactivation_request.decider_role is 'null while pending, and when the account was resumed without a decision about the request';

-- step 0135-purges
-- What a purge needs to be resumed: who works on it, when it is due, and after which transaction no older writer is left.

alter table purge
  add claimed_by uuid,
  add claimed_until timestamptz(3),
  add due_at timestamptz(3) default now(),
  add barrier xid8,
  add check ((claimed_by is null) = (claimed_until is null));
comment on column purge.claimed_by is 'the worker whose writes count; each of them asks for it, so that one that lost its claim changes nothing more';
comment on column purge.due_at is 'when it continues; null once it has ended';
comment on column purge.barrier is 'rows are searched for once every transaction up to this one has ended: a later one finds the account deleted';
create index purge_due on purge (due_at) where due_at is not null;

-- Counters are keyed by addresses and ids of people; a purge removes theirs.
grant select, delete on rate_limit to portal_system;

-- Rows of which some stay are walked one by one: the order of these indexes now names each row once.
drop index file_chunk_partner;
create index file_chunk_partner on file_chunk (partner_id, file_id, n);
drop index purge_step_partner;
create index purge_step_partner on purge_step (partner_id, deletion_request_id, position);
drop index notification_digest_partner;
create index notification_digest_partner on notification_digest (partner_id, user_id, day);
drop index purge_partner;
create index purge_partner on purge (partner_id, deletion_request_id);
drop index provisioning_step_partner;
create index provisioning_step_partner on provisioning_step (partner_id, attempt_id, "order");
drop index rerun_item_partner;
create index rerun_item_partner on rerun_item (partner_id, execution_id);

-- step 0137-account-exports
-- What an export needs to be made by one process at a time, and read by those it was made for.
alter table account_export
  add audience text not null default 'agency' check (audience in ('agency', 'client')),
  add claimed_by uuid,
  add due_at timestamptz(3) not null default now(),
  add updated_at timestamptz(3) not null default now(),
  add check ((status = 'running') = (claimed_by is not null)),
  add check ((audience = 'client') <= (scope = 'client'));
comment on column account_export.audience is 'who asked: what a client gets leaves out what only its agency may read';
comment on column account_export.claimed_by is 'the attempt that makes it; only its holder may write the result';
comment on column account_export.due_at is 'when the next attempt may start';

-- A client never reads, nor waits for, what its agency exported about it.
create policy own_audience on account_export as restrictive for all to portal_tenant
  using ((select app_client()) is null or audience = 'client') with check ((select app_client()) is null or audience = 'client');
drop index account_export_one_open;
create unique index account_export_one_open on account_export (partner_id, client_id, audience) nulls not distinct where status in ('pending', 'running');

-- step 0138-destroyed-keys
-- A destroyed data key leaves its row behind, without the key: no later transaction creates another one for that partner.
alter table partner_data_key
  alter master_key_id drop not null,
  alter sealed_key drop not null,
  add destroyed_at timestamptz(3),
  add constraint partner_data_key_destroyed check (num_nonnulls(master_key_id, sealed_key) = case when destroyed_at is null then 2 else 0 end);
comment on column partner_data_key.destroyed_at is 'nothing that this partner sealed opens from then on; see docs/deploy.md for backups';

-- step 0139-data-keys-for-all
-- Every sealed value of a partner is under its data key. Rows of earlier versions name a master key (at most 32 characters) instead of a
-- data key (a UUID); these indexes find them until the service has sealed them again.
alter table user_mfa rename master_key_id to secret_key_id;
drop index mail_body_key;
drop index user_mfa_master;
drop index webhook_endpoint_key;
drop index sso_connection_key;
create index mail_old_key on mail (id) where body_sealed is not null and length(body_key_id) <= 32;
create index user_mfa_old_key on user_mfa (user_id) where length(secret_key_id) <= 32;
create index webhook_endpoint_old_key on webhook_endpoint (id) where length(secret_key_id) <= 32;
create index sso_connection_old_key on sso_connection (partner_id) where length(secret_key_id) <= 32;
comment on column mail.body_key_id is 'the data key that sealed the body; in rows of earlier versions a master key';

-- step 0141-notification-subjects
-- Which account a notification or mail names: staff are notified of agencies, and a team of its clients. A purge removes them with the account.

alter table notification add about_partner_id uuid, add about_client_id uuid;
comment on column notification.about_partner_id is 'the agency it names, which is not that of a recipient of the staff; no reference, since the row goes with the account';
alter table mail add about_partner_id uuid, add about_client_id uuid;
comment on column mail.about_partner_id is 'as of notification';

-- Links name the account. Those of requests lead to it.
update notification n set about_partner_id = p.id from partner p
  where p.id::text = substring(n.href from '^/admin/partners/([0-9a-f-]{36})');
update notification n set about_client_id = c.id from client c
  where c.id::text = substring(n.href from '^/dashboard/clients/([0-9a-f-]{36})') and c.partner_id = n.partner_id;
update notification n set about_partner_id = r.partner_id, about_client_id = r.client_id from agent_request r
  where n.subject = 'agent_request:' || r.id;
update mail m set about_partner_id = n.about_partner_id, about_client_id = n.about_client_id from notification n
  where n.user_id = m.user_id and n.dedupe_key = m.dedupe_key and (n.about_partner_id is not null or n.about_client_id is not null);
update notification set about_partner_id = partner_id where about_partner_id is null;
update notification set about_client_id = client_id where about_client_id is null;

create index notification_about on notification (about_partner_id, about_client_id);
create index mail_about on mail (about_partner_id, about_client_id) where about_partner_id is not null;

-- step 0142-conversations
-- Conversations: rates and calls of language models, chatbots with their knowledge, conversations, and the turns that answer them.

-- What tokens on a platform key cost an agency, and what they cost the platform. A change is a new version; a call names the one it was charged by.
create table ai_rate (
  id uuid primary key default uuidv7(),
  provider text not null check (provider in ('openai', 'anthropic')),
  model text not null,
  version int not null check (version > 0),
  input_credits numeric(12, 4) not null check (input_credits >= 0),
  output_credits numeric(12, 4) not null check (output_credits >= 0),
  input_cost_minor numeric(12, 4) not null check (input_cost_minor >= 0),
  output_cost_minor numeric(12, 4) not null check (output_cost_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  is_offered boolean not null default true,
  changed_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  unique (provider, model, version)
);
create index ai_rate_author on ai_rate (changed_by);
comment on table ai_rate is 'per 1,000 tokens; the newest version of a model counts; the model "*" is for those without a row';
grant select on ai_rate to portal_tenant;
grant select, insert on ai_rate to portal_system;

-- One call of a language model. On a platform key its credits are reserved before the call and settled after it, once.
create table ai_call (
  id uuid not null,
  partner_id uuid not null,
  client_id uuid,
  user_id uuid,
  conversation_id uuid,
  turn_id uuid,
  purpose text not null check (purpose in ('proxy', 'chatbot', 'preview')),
  provider text not null,
  model text not null,
  source_mode text not null check (source_mode in ('platform', 'byok')),
  rate_id uuid references ai_rate,
  status text not null default 'reserved' check (status in ('reserved', 'settled', 'released')),
  credits_reserved int not null default 0 check (credits_reserved >= 0),
  input_tokens int,
  output_tokens int,
  credits_charged int,
  is_estimated boolean not null default false,
  cost_minor numeric(14, 4),
  credit_price_minor numeric(14, 4),
  currency text,
  error_code text,
  expires_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (id)
) partition by range (id);
comment on column ai_call.is_estimated is 'the provider reported no usage, because the call was cut off: counted from the texts';
create index ai_call_partner on ai_call (partner_id, id desc);
create index ai_call_open on ai_call (expires_at) where status = 'reserved';
create index ai_call_conversation on ai_call (conversation_id) where conversation_id is not null;
call fence('ai_call', 'client_id');
call partition_by_month('ai_call', 400);

alter table credential_use drop constraint credential_use_purpose_check,
  add constraint credential_use_purpose_check check (purpose in ('bind_connection', 'test', 'run_query', 'preflight', 'read_bookings', 'ai_call'));

-- One chatbot per client.
create table chatbot (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partner,
  client_id uuid not null unique references client,
  is_active boolean not null default false,
  name text not null,
  greeting text not null,
  persona text not null default '',
  knowledge_text text not null default '' check (length(knowledge_text) <= 200000),
  provider text not null check (provider in ('openai', 'anthropic')),
  model text not null,
  handoff_email text not null default '',
  handoff_phrases text[] not null default '{}',
  handoff_when_unsure boolean not null default true,
  reminder_minutes int not null default 30 check (reminder_minutes between 5 and 1440),
  brand_color text,
  allowed_origins text[] not null default '{}',
  privacy_url text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on column chatbot.id is 'random, since it is public';
comment on column chatbot.brand_color is 'null: the color of the agency';
create index chatbot_partner on chatbot (partner_id, id);
call fence('chatbot', 'client_id', 'select, insert, update, delete');

-- Which agent a chatbot runs for which intent.
create table chatbot_route (
  chatbot_id uuid not null references chatbot on delete cascade,
  n int not null,
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  intent text not null,
  workflow_id uuid not null references workflow on delete cascade,
  primary key (chatbot_id, n)
);
create index chatbot_route_partner on chatbot_route (partner_id, chatbot_id);
create index chatbot_route_client on chatbot_route (client_id);
create index chatbot_route_workflow on chatbot_route (workflow_id);
call fence('chatbot_route', 'client_id', 'select, insert, update, delete');

-- What a chatbot knows, cut into passages: the business profile, the text of its settings, uploaded files.
create table knowledge_document (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  chatbot_id uuid not null references chatbot on delete cascade,
  kind text not null check (kind in ('profile', 'text', 'file')),
  title text not null,
  content_type text,
  size_bytes bigint not null default 0,
  file_id uuid references file,
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  problem text,
  passages int not null default 0,
  source_hash bytea,
  uploaded_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((kind = 'file') = (file_id is not null))
);
comment on column knowledge_document.source_hash is 'of the text that the passages were cut from; equal text is not cut again';
create index knowledge_document_partner on knowledge_document (partner_id, chatbot_id, id);
create index knowledge_document_client on knowledge_document (client_id);
create index knowledge_document_chatbot on knowledge_document (chatbot_id);
create index knowledge_document_file on knowledge_document (file_id);
create index knowledge_document_author on knowledge_document (uploaded_by);
create index knowledge_document_pending on knowledge_document (updated_at) where status = 'pending';
create unique index knowledge_document_own on knowledge_document (chatbot_id, kind) where kind <> 'file';
call fence('knowledge_document', 'client_id', 'select, insert, update, delete');

create table knowledge_passage (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  chatbot_id uuid not null references chatbot on delete cascade,
  document_id uuid not null references knowledge_document on delete cascade,
  n int not null,
  heading text not null default '',
  content text not null check (length(content) between 1 and 4000),
  search tsvector not null
);
create index knowledge_passage_partner on knowledge_passage (partner_id, chatbot_id);
create index knowledge_passage_client on knowledge_passage (client_id);
create unique index knowledge_passage_document on knowledge_passage (document_id, n);
create index knowledge_passage_chatbot on knowledge_passage (chatbot_id);
call fence('knowledge_passage', 'client_id', 'select, insert, delete');

create extension if not exists btree_gin;

-- A conversation of a website visitor. Its id is random: it is what the visitor proves with.
create table conversation (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  chatbot_id uuid not null references chatbot on delete cascade,
  visitor_label text not null,
  origin text not null default '',
  status text not null default 'open' check (status in ('open', 'handed_off', 'closed')),
  handoff_reason text check (handoff_reason in ('visitor', 'unsure', 'phrase', 'quota', 'failure', 'taken_over')),
  assigned_to uuid references app_user on delete set null,
  assigned_name text not null default '',
  was_handed_off boolean not null default false,
  was_answered boolean not null default false,
  started_at timestamptz(3) not null default now(),
  last_message_at timestamptz(3) not null default now(),
  last_message_text text not null default '',
  last_message_author text check (last_message_author in ('visitor', 'bot', 'human')),
  waiting_since timestamptz(3),
  reminded_at timestamptz(3),
  closed_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  version bigint not null default 0,
  check ((status = 'handed_off') <= was_handed_off)
);
comment on column conversation.assigned_name is 'of the person, whom the visitor and the other side of the tenant see without reading its user';
comment on column conversation.was_answered is 'the chatbot has replied at least once; kept by a trigger, as are updated_at and version';
comment on column conversation.waiting_since is 'of the first visitor message no person has answered since the hand-over; null when none waits';
create index conversation_partner on conversation (partner_id, last_message_at desc, id desc);
create index conversation_client on conversation (client_id, last_message_at desc, id desc);
create index conversation_chatbot on conversation (chatbot_id, started_at);
create index conversation_assigned on conversation (assigned_to);
create index conversation_waiting on conversation (waiting_since) where waiting_since is not null;
create index conversation_age on conversation (last_message_at);
create index conversation_partner_changed on conversation (partner_id, updated_at);
create index conversation_client_changed on conversation (client_id, updated_at);
create index conversation_partner_started on conversation (partner_id, started_at);
create index conversation_client_started on conversation (client_id, started_at);
create index conversation_label on conversation (partner_id, lower(visitor_label) text_pattern_ops);
call fence('conversation', 'client_id', 'select, insert, update, delete');

create table conversation_message (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  conversation_id uuid not null references conversation on delete cascade,
  author text not null check (author in ('visitor', 'bot', 'human')),
  user_id uuid references app_user on delete set null,
  author_name text not null default '',
  content text not null check (length(content) between 1 and 8000),
  client_message_id uuid,
  turn_id uuid,
  passages jsonb not null default '[]',
  at timestamptz(3) not null default now(),
  unique (conversation_id, client_message_id)
);
comment on column conversation_message.passages is 'what a reply stands on: [{documentId, title, heading, excerpt}]';
create index conversation_message_partner on conversation_message (partner_id, id);
create index conversation_message_client on conversation_message (client_id, id);
create index conversation_message_thread on conversation_message (conversation_id, id);
create index conversation_message_user on conversation_message (user_id);
create unique index conversation_message_turn on conversation_message (turn_id, author) where turn_id is not null;
create index conversation_message_words on conversation_message using gin (partner_id, to_tsvector('simple', content));
call fence('conversation_message', 'client_id', 'select, insert, delete');

-- The answer to one visitor message, step by step. A step that was begun is not begun again without looking at what it did.
create table conversation_turn (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  conversation_id uuid not null references conversation on delete cascade,
  state text not null default 'received' check (state in ('received', 'deciding', 'running', 'composing', 'done', 'failed')),
  ai_calls int not null default 0,
  intent text,
  workflow_id uuid,
  inputs jsonb,
  execution_id uuid,
  outcome jsonb,
  error_code text,
  attempts int not null default 0,
  claimed_by uuid,
  due_at timestamptz(3) not null default now(),
  started_at timestamptz(3) not null default now(),
  first_token_ms int,
  finished_at timestamptz(3),
  check ((state in ('done', 'failed')) = (finished_at is not null))
);
comment on column conversation_turn.due_at is 'when another process may take it over; moved on by its holder';
create index conversation_turn_partner on conversation_turn (partner_id, id);
create index conversation_turn_client on conversation_turn (client_id, id);
create index conversation_turn_conversation on conversation_turn (conversation_id, id);
create index conversation_turn_execution on conversation_turn (execution_id) where execution_id is not null;
create index conversation_turn_due on conversation_turn (due_at) where finished_at is null;
create unique index conversation_turn_one_open on conversation_turn (conversation_id) where finished_at is null;
call fence('conversation_turn', 'client_id', 'select, insert, update, delete');

-- Up to which message a person has read a conversation.
create table conversation_read (
  conversation_id uuid not null references conversation on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  read_at timestamptz(3) not null default now(),
  primary key (conversation_id, user_id)
);
create index conversation_read_partner on conversation_read (partner_id, user_id);
create index conversation_read_client on conversation_read (client_id);
create index conversation_read_user on conversation_read (user_id);
call fence('conversation_read', 'client_id', 'select, insert, update, delete');

create table canned_reply (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  title text not null,
  content text not null,
  created_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now()
);
comment on column canned_reply.client_id is 'null: for all clients of the agency';
create index canned_reply_partner on canned_reply (partner_id, client_id, title);
create index canned_reply_client on canned_reply (client_id);
create index canned_reply_author on canned_reply (created_by);
call fence('canned_reply', 'client_id', 'select, insert, update, delete');

alter table file drop constraint file_purpose_check,
  add constraint file_purpose_check check (purpose in ('export', 'media', 'invoice', 'knowledge'));

-- step 0143-ai-rates
-- The first published rates: per 1,000 tokens in credits, and what they cost the platform in hundredths of a dollar. Models without a row of
-- their own cost what AI tokens of runs have cost so far.
insert into ai_rate (provider, model, version, input_credits, output_credits, input_cost_minor, output_cost_minor, currency) values
  ('openai', '*', 1, 1, 1, 0.2, 0.8, 'USD'),
  ('openai', 'gpt-4.1-mini', 1, 0.2, 0.8, 0.04, 0.16, 'USD'),
  ('openai', 'gpt-4.1', 1, 1, 4, 0.2, 0.8, 'USD'),
  ('openai', 'gpt-5-mini', 1, 0.2, 1, 0.025, 0.2, 'USD'),
  ('openai', 'gpt-5', 1, 0.7, 5, 0.125, 1, 'USD'),
  ('anthropic', '*', 1, 1, 1, 0.3, 1.5, 'USD'),
  ('anthropic', 'claude-haiku-4-5', 1, 0.5, 2.5, 0.1, 0.5, 'USD'),
  ('anthropic', 'claude-sonnet-4-5', 1, 1.5, 7.5, 0.3, 1.5, 'USD'),
  ('anthropic', 'claude-opus-4-5', 1, 2.5, 12.5, 0.5, 2.5, 'USD');

create index ai_call_rate on ai_call (rate_id);

-- step 0146-knowledge-words
-- Search over knowledge: passages by their words, and the words of a chatbot by their trigrams, so that a misspelt one is found. Both indexes begin
-- with the chatbot: a search reads nothing of others, however many there are.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create index knowledge_passage_search on knowledge_passage using gin (chatbot_id, search) with (fastupdate = off);

create table knowledge_word (
  chatbot_id uuid not null references chatbot on delete cascade,
  word text not null,
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  passages int not null,
  primary key (chatbot_id, word)
);
comment on table knowledge_word is 'the words of a chatbot''s passages, and how many passages have each';
create index knowledge_word_partner on knowledge_word (partner_id, chatbot_id);
create index knowledge_word_client on knowledge_word (client_id);
create index knowledge_word_likeness on knowledge_word using gin (chatbot_id, word gin_trgm_ops) with (fastupdate = off);
call fence('knowledge_word', 'client_id', 'select, insert, update, delete');

-- step 0147-conversation-export
-- An export reads the conversations of an account in the order of their ids.
create index conversation_id_of_partner on conversation (partner_id, id);

-- step 0149-conversation-turns
-- A turn answers all messages of the visitor up to one; messages that arrive meanwhile are answered together by the next turn.
alter table conversation_turn add column upto_message_id uuid;
comment on column conversation_turn.upto_message_id is 'the newest message of the visitor that this turn answers';

alter table chatbot add column failures_in_a_row int not null default 0;
comment on column chatbot.failures_in_a_row is 'turns without an answer since the last one with an answer';
create index chatbot_failing on chatbot (partner_id) where failures_in_a_row > 0;

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in
  ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed', 'chatbot_failing'));

-- step 0152-inbox
-- A client sees the prepared replies that its agency offers to all clients.
create policy agency_default on canned_reply for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);

-- step 0155-timed-out-turns
-- Runs of conversations that ended with timeout and may still end in the engine: few, and asked about each minute.
create index execution_timed_out_turns on execution (finished_at) where source = 'chatbot' and status = 'FAILED' and error_code = 'timeout' and not late;

-- step 0156-client-locale
-- The language of what the product writes to a client business, and of its people until they choose their own.
alter table client add column locale text not null default 'en' check (locale in ('en', 'de', 'es'));

-- step 0160-reports
-- The monthly report: what an agency thinks a run saves, who gets the report by mail, and to whom it was sent.

create table hours_estimate (
  partner_id uuid not null references partner,
  template_name text not null,
  hours numeric(4, 2) not null check (hours between 0 and 40),
  updated_at timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
comment on table hours_estimate is 'the agency''s own estimate of what one run saves; without a row the catalog''s counts';
-- A client reads the hours its agents saved, which follow from it.
call fence('hours_estimate', 'none', 'select, insert, update, delete');

create table report_subscription (
  client_id uuid not null references client,
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  is_subscribed boolean not null,
  changed_by uuid not null,
  changed_at timestamptz(3) not null default now(),
  primary key (client_id, user_id)
);
comment on column report_subscription.changed_by is 'the user who chose it last; no reference, since the choice outlives them';
create index report_subscription_partner on report_subscription (partner_id, client_id);
create index report_subscription_user on report_subscription (user_id);
call fence('report_subscription', 'client_id', 'select, insert, update');

-- One row per client, month and person: what is sent once.
create table report_mail (
  client_id uuid not null references client,
  month date not null check (extract(day from month) = 1),
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  times int not null default 1,
  sent_at timestamptz(3) not null,
  primary key (client_id, month, user_id)
);
comment on column report_mail.times is 'how often: once by the calendar, and each time someone sends it by hand';
create index report_mail_partner on report_mail (partner_id, client_id);
create index report_mail_user on report_mail (user_id);
call fence('report_mail', 'client_id', 'select, insert, update');

-- A send by hand, so that a call that is repeated sends nothing twice.
create table report_send_key (
  partner_id uuid not null references partner,
  key_hash bytea not null,
  answer jsonb,
  created_at timestamptz(3) not null,
  primary key (partner_id, key_hash)
);
create index report_send_key_age on report_send_key (created_at);
call fence('report_send_key', null, 'select, insert, update');

-- Reruns: a report shows how many failures were repaired. Only reruns are in this index, so other runs pay nothing for it.
create index execution_rerun on execution (partner_id, client_id, id) where source = 'rerun';

-- step 0166-client-import
-- Imports of clients, and what each row of a file did. The former values of a changed client are kept for as long as the import can be undone.
create table client_import (
  id uuid primary key,
  partner_id uuid not null references partner,
  created_by uuid references app_user on delete set null,
  filename text not null,
  mode text not null check (mode in ('all', 'valid')),
  created int not null,
  updated int not null,
  unchanged int not null,
  refused int not null,
  -- What the file was read as: answered again to a repeated Idempotency-Key.
  reading jsonb not null,
  key_hash bytea,
  created_at timestamptz(3) not null,
  undo_until timestamptz(3) not null,
  undone_at timestamptz(3),
  undone_by uuid references app_user on delete set null,
  removed int not null default 0,
  restored int not null default 0,
  kept int not null default 0
);
create index client_import_partner on client_import (partner_id, id desc);
create unique index client_import_key on client_import (partner_id, key_hash) where key_hash is not null;
create index client_import_created_by on client_import (created_by);
create index client_import_undone_by on client_import (undone_by);
create index client_import_created on client_import (created_at);
call fence('client_import', null, 'select, insert, update');

create table client_import_row (
  import_id uuid not null references client_import on delete cascade,
  line int not null,
  partner_id uuid not null references partner,
  client_id uuid references client on delete set null,
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'refused')),
  name text not null,
  field text,
  "column" int,
  cell text,
  code text,
  reason text,
  -- The version of a client that the import created.
  client_version timestamptz(3),
  -- For a client that the import changed: each changed field with [before, after].
  changes jsonb,
  undo text check (undo in ('removed', 'restored', 'kept')),
  undo_reason text,
  primary key (import_id, line)
);
create unique index client_import_row_partner on client_import_row (partner_id, import_id, line);
create index client_import_row_client on client_import_row (client_id);
call fence('client_import_row', null, 'select, insert, update');

-- The rows of an import are matched by the agency's own reference.
create index client_external_ref on client (partner_id, external_ref) where external_ref is not null;

-- step 0169-bulk-requests
-- The first answer of a call that requests agents for many clients: one result per client, also for those that got no request.
alter table agent_request_key add column results jsonb;

-- step 0170-onboarding
-- First steps that an agency does not want to be reminded of. Completed steps are never stored: they are read from the account's data.
create table onboarding_dismissal (
  partner_id uuid not null references partner,
  key text not null check (key in ('client', 'key', 'agent', 'sample', 'event', 'team', 'webhook', 'all')),
  dismissed_by uuid references app_user on delete set null,
  dismissed_at timestamptz(3) not null default now(),
  primary key (partner_id, key)
);
comment on column onboarding_dismissal.key is 'all: the whole list is hidden';
create index onboarding_dismissal_author on onboarding_dismissal (dismissed_by);
call fence('onboarding_dismissal', null, 'select, insert, delete');

-- step 0171-saved-filters
-- Filters of large tables that a user keeps under a name. Each belongs to one user; its id is chosen by the client, so that saving may be repeated.
create table saved_filter (
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  id uuid not null,
  list text not null check (list in ('clients', 'agents', 'runs', 'requests', 'deliveries', 'ledger', 'audit', 'partners', 'users')),
  name text not null check (length(name) between 1 and 60),
  search jsonb not null check (jsonb_typeof(search) = 'object' and octet_length(search::text) <= 8192),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, id)
);
create unique index saved_filter_name on saved_filter (user_id, list, lower(name));
create index saved_filter_partner on saved_filter (partner_id, user_id, list);
call fence('saved_filter', null, 'select, insert, update, delete');

-- step 0174-text-suggestions
-- Texts of its agents that a client proposes to change; its agency applies or declines them.

create table text_suggestion (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  workflow_id uuid not null references workflow on delete cascade,
  key text not null,
  before text not null,
  text text not null,
  note text not null default '',
  status text not null default 'pending' check (status in ('pending', 'applied', 'declined', 'withdrawn')),
  suggested_by uuid references app_user on delete set null,
  suggested_by_name text not null,
  decided_by uuid references app_user on delete set null,
  decided_by_name text,
  decision_note text,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((status = 'pending') = (decided_at is null))
);
comment on column text_suggestion.key is 'key of the setting in the template';
comment on column text_suggestion.before is 'what the agent wrote when the change was suggested';
comment on column text_suggestion.decided_by_name is 'copied: a client cannot read the users of its agency';
create index text_suggestion_partner on text_suggestion (partner_id, id desc);
create index text_suggestion_client on text_suggestion (client_id, id desc);
create index text_suggestion_suggester on text_suggestion (suggested_by);
create index text_suggestion_decider on text_suggestion (decided_by);
create unique index text_suggestion_one_pending on text_suggestion (workflow_id, key, client_id) where status = 'pending';
call fence('text_suggestion', 'client_id', 'select, insert, update');

-- step 0175-client-looks
-- What people outside a client opened of its data: once per person, part and day, so that reading costs no write each time.

create table client_look (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  user_id uuid references app_user on delete set null,
  user_name text,
  is_staff boolean not null,
  kind text not null check (kind in ('runs', 'conversations', 'exports')),
  day date not null,
  at timestamptz(3) not null default now()
);
comment on column client_look.user_name is 'copied: the client cannot read the user; null for staff';
create index client_look_partner on client_look (partner_id, id desc);
create index client_look_client on client_look (client_id, id desc);
create unique index client_look_once on client_look (client_id, user_id, kind, day);
create index client_look_user on client_look (user_id);
create index client_look_age on client_look (at);
call fence('client_look', 'client_id', 'select, insert');

create index credential_use_client on credential_use (client_id, id desc) where client_id is not null;

-- step 0178-domains
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

-- step 0181-newsletter
-- People who asked for the newsletter, of no account. No one is mailed before they confirmed by a link.
create table newsletter_subscriber (
  id uuid primary key default uuidv7(),
  email text check (email = lower(email)),
  email_hash bytea not null,
  source text not null check (source ~ '^[a-z0-9-]{1,40}$'),
  text_version int not null check (text_version > 0),
  requested_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  check ((email is null) = (unsubscribed_at is not null))
);
comment on column newsletter_subscriber.email is 'erased when the person unsubscribes';
comment on column newsletter_subscriber.email_hash is 'sha256 of the address: shows for an address at hand that its owner had consented, and until when';
comment on column newsletter_subscriber.text_version is 'of the sentence the person agreed to, contract/newsletter-consent.ts';
create unique index newsletter_subscriber_address on newsletter_subscriber (email) where email is not null;
create index newsletter_subscriber_hash on newsletter_subscriber (email_hash);
create index newsletter_subscriber_pending on newsletter_subscriber (requested_at) where confirmed_at is null and unsubscribed_at is null;
create index newsletter_subscriber_left on newsletter_subscriber (unsubscribed_at) where unsubscribed_at is not null;
grant select, insert, update, delete on newsletter_subscriber to portal_system;

-- step 0190-conversation-locale
-- In which a visitor is addressed, kept because a turn may be continued by another process.
alter table conversation add column locale text check (locale in ('en', 'de', 'es'));
comment on column conversation.locale is 'of the visitor, as of the newest message; null: none has come since the column exists, and the language of the client counts';

-- step 0196-agency-looks
-- Who opened lists over all clients of an agency: one row per person, part and day, however many clients there are. Each client's access log decides
-- whether its rows were among what was opened.

create table agency_look (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  user_id uuid references app_user on delete set null,
  user_name text,
  is_staff boolean not null,
  kind text not null check (kind in ('runs', 'run_exports', 'conversations', 'conversation_exports')),
  first_id uuid not null,
  last_id uuid not null,
  day date not null,
  at timestamptz(3) not null default now()
);
comment on column agency_look.user_name is 'copied: a client cannot read the user; null for staff';
comment on column agency_look.first_id is 'the oldest of the runs shown that day; ids of conversations are random and say nothing';
create index agency_look_partner on agency_look (partner_id, id desc);
create unique index agency_look_once on agency_look (partner_id, user_id, kind, day);
create index agency_look_user on agency_look (user_id);
create index agency_look_age on agency_look (at);
call fence('agency_look', null, 'select, insert, update');

-- For whom a key of the agency was used: its client, and the agent.
alter table credential_use add column served_client_id uuid, add column workflow_id uuid;
create index credential_use_served on credential_use (served_client_id, id desc) where served_client_id is not null;

-- step 0200-named-clients
-- What names clients in rows of their agency is found by their ids, so that a purge of one can clear it.

create index event_threshold on event (partner_id) where type = 'usage.threshold_crossed';
create index delivery_threshold on delivery (partner_id) where event_type = 'usage.threshold_crossed';

-- These errors list clients by their names alone, without their ids.
update provisioning_step set error = regexp_replace(error, '(CredentialUnresolved, [^:]*): .*', '\1') where error like '%CredentialUnresolved%';
update provisioning_attempt set error = regexp_replace(error, '(CredentialUnresolved, [^:]*): .*', '\1') where error like '%CredentialUnresolved%';
update automation_instance set last_error = regexp_replace(last_error, '(CredentialUnresolved, [^:]*): .*', '\1') where last_error like '%CredentialUnresolved%';
update rollout_partner set message = regexp_replace(message, '(CredentialUnresolved, [^:]*): .*', '\1') where message like '%CredentialUnresolved%';

-- step 0205-visitor-keys
-- What a visitor proves with is known to the visitor alone: people who read the inbox have the id of the conversation.
-- Conversations from before get a key that no browser has; their visitors begin new ones.
alter table conversation add column visitor_key uuid not null default gen_random_uuid();
create unique index conversation_visitor_key on conversation (visitor_key);
comment on column conversation.visitor_key is 'proves that a caller is the visitor; only public routes take and return it, as conversationId';

-- step 0206-failing-runs
alter table chatbot add column is_run_failing boolean not null default false;
comment on column chatbot.is_run_failing is 'the last agent that a visitor had run failed, or could not run';
drop index chatbot_failing;
create index chatbot_failing on chatbot (partner_id) where failures_in_a_row > 0 or is_run_failing;

-- step 0207-rates-of-tenants
-- What tokens cost the platform is no business of tenants, also not by a statement that forgets to leave it out.
revoke select on ai_rate from portal_tenant;
grant select (id, provider, model, version, input_credits, output_credits, is_offered, created_at) on ai_rate to portal_tenant;

-- step 0210-more-saved-filters
-- More tables whose filters users keep.
alter table saved_filter drop constraint saved_filter_list_check;
alter table saved_filter add constraint saved_filter_list_check check (list in ('clients', 'agents', 'runs', 'requests', 'deliveries', 'ledger', 'audit',
  'partners', 'users', 'inbox', 'alerts', 'invoices', 'mail', 'subscribers', 'imports'));

-- step 0211-under-way
-- What the engine has taken over and has not ended. The dispatcher bounds it per engine and per agency, and what is long under way is asked about.
-- No reference to execution: like the queue, it is written for a thousand executions a second. High turnover: vacuumed early.
create table under_way (
  execution_id uuid primary key,
  partner_id uuid not null,
  workflow_id uuid not null,
  handed_at timestamptz not null default now(),
  ask_at timestamptz not null,
  asked int not null default 0
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
comment on table under_way is 'executions that the engine runs: bounded per engine and per agency';
comment on column under_way.handed_at is 'when the dispatcher claimed it: its timeout counts from here';
comment on column under_way.ask_at is 'when the engine is asked whether it has ended without a report that arrived';
create index under_way_partner on under_way (partner_id, execution_id);
-- Those that hold a place are counted at each claim without those under way for longer.
create index under_way_handed on under_way (handed_at) include (partner_id);
create index under_way_ask on under_way (ask_at);
call fence('under_way', null);
-- What the engine took over before: asked about from the first start on. Runs of conversations were never handed over.
insert into under_way (execution_id, partner_id, workflow_id, handed_at, ask_at)
select e.id, e.partner_id, e.workflow_id, e.started_at, now() from execution e
where e.status = 'RUNNING' and e.source <> 'chatbot' and not exists (select from dispatch d where d.execution_id = e.id);

alter table dispatch add column timeout_minutes int check (timeout_minutes > 0);
comment on column dispatch.timeout_minutes is 'how long it may run once the engine has it; null in rows from before it was counted from there';
-- Whether it waits for the engine''s capacity or for the engine.
grant select (attempts) on dispatch to portal_tenant;

-- step 0212-open-requests
-- The count shown next to Requests in the navigation of every page.
create index agent_request_open on agent_request (partner_id)
  where status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed');

-- step 0215-user-sessions
-- Open sessions as their users see them: from which browser each was opened, and when it was last used. A row is kept until its token expires; whether the
-- session has ended before is in revoked_session and app_user.
create table user_session (
  jti uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  user_id uuid not null references app_user on delete cascade,
  auth_method text not null,
  address text not null,
  user_agent text not null,
  opened_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
comment on column user_session.address is 'of the last use, as is user_agent';
create index user_session_partner on user_session (partner_id, user_id);
create index user_session_client on user_session (client_id);
create index user_session_user on user_session (user_id);
create index user_session_expiry on user_session (expires_at);
call fence('user_session', 'client_id');
-- Tenants read and end their own sessions by functions alone.
revoke select on user_session from portal_tenant;

-- step 0220-sso-providers
-- Single sign-on with providers as they come: what an agency allows for its provider, what the metadata says, and the keys of the portal.

alter table sso_connection
  add column vouches_for_emails boolean not null default false,
  add column allows_sha1 boolean not null default false,
  add column signs_requests boolean not null default false,
  add column idp_wants_signed boolean not null default false,
  add column metadata_valid_until timestamptz(3),
  add column metadata_tried_at timestamptz(3),
  add column own_certificate text,
  add column own_key_sealed bytea,
  add column own_key_id text,
  add column next_certificate text,
  add column next_key_sealed bytea,
  add column next_key_id text,
  add check (num_nulls(own_certificate, own_key_sealed, own_key_id) in (0, 3)),
  add check (num_nulls(next_certificate, next_key_sealed, next_key_id) in (0, 3)),
  add check (next_certificate is null or own_certificate is not null);
comment on column sso_connection.vouches_for_emails is 'an admin accepts addresses that the provider does not say are verified';
comment on column sso_connection.idp_wants_signed is 'the metadata says that requests must be signed';
comment on column sso_connection.own_certificate is 'base64 DER, of the key that signs requests and decrypts assertions';
comment on column sso_connection.next_certificate is 'in the metadata already, to replace the other one when an admin says so';
comment on column sso_connection.metadata_tried_at is 'when a failing login last had the metadata read: once a minute at most';

-- step 0230-usage-hours
-- Usage of each agency and of all together, by the hour and longer spans: sums over long ranges read these, not the counters of every agent or the ledger.

-- `counter`: ended_runs (by the hour in which they began), ai_calls (AI tokens that belong to no run), or a kind of the ledger, by the hour of its
-- entries. Without a reference to the partner, like the ledger. Filled by fold_usage.
create table usage_hour (
  partner_id uuid not null,
  hour timestamptz(0) not null,
  counter text not null,
  credits bigint not null default 0,
  entries int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  contacted int not null default 0,
  primary key (partner_id, hour, counter)
);
-- Hours of all agencies. The planner chose an index on the hour itself for those of one agency as well.
create index usage_hour_of_all on usage_hour (uuid_floor(hour));
comment on column usage_hour.credits is 'used credits are positive, unlike in the ledger';
call fence('usage_hour');

-- Sums over all agencies. It names none, and tenants may not read it.
create table platform_hour (
  hour timestamptz(0) not null,
  counter text not null,
  credits bigint not null default 0,
  entries bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  primary key (hour, counter)
);
grant select, insert, update, delete on platform_hour to portal_system;

-- Usage of agencies and their agents in days, months and years of UTC: sums over long ranges read a year instead of its hours. From the ledger only what
-- sums by agency, client and agent show: ended_runs and ai_calls. Updated in place far more often than added to.
create table usage_span (
  partner_id uuid not null,
  span text not null check (span in ('day', 'month', 'year')),
  starts timestamptz(0) not null,
  counter text not null,
  credits bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  primary key (partner_id, span, starts, counter)
) with (fillfactor = 80);
create index usage_span_of_all on usage_span (span, starts);
call fence('usage_span');

-- Without an agent: AI tokens of the client, or of the agency itself, that belong to no run.
create table agent_span (
  partner_id uuid not null,
  span text not null check (span in ('day', 'month', 'year')),
  starts timestamptz(0) not null,
  workflow_id uuid,
  client_id uuid,
  credits bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  helped bigint not null default 0,
  constraint agent_span_key unique nulls not distinct (partner_id, span, starts, workflow_id, client_id)
) with (fillfactor = 80);
create index agent_span_of_all on agent_span (span, starts);
comment on column agent_span.helped is 'see workflow_hour';
call fence('agent_span');

-- Counts since the sums were last brought up to date, of ended runs with the agent, of AI tokens without a run with the client: added in the transaction of its cause, and never changed there. Two transactions that
-- count for one agency at once do not wait for each other, and none can hold a sum while it waits for a quota. High turnover: vacuumed early.
create table usage_delta (
  id uuid primary key default uuidv7(),
  partner_id uuid not null,
  workflow_id uuid,
  client_id uuid,
  hour timestamptz(0) not null,
  counter text not null,
  credits int not null default 0,
  entries int not null default 0,
  succeeded int not null default 0,
  failed int not null default 0,
  contacted int not null default 0,
  helped int not null default 0
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index usage_delta_partner on usage_delta (partner_id, id);
call fence('usage_delta');

-- Agencies whose usage from before the sums is not in them yet: the step past-usage notes it.
create table usage_fill (
  partner_id uuid primary key
);
call fence('usage_fill');

-- step 0232-policy-estimates
-- The policies ask the same question in a form of which the planner expects half of the rows instead of a two-hundredth (see fence): with that
-- estimate it read and sorted all rows of a large agency for one page, and joined them one by one. Who sees what does not change.
do $$
declare
  rule record;
begin
  for rule in
    select p.schemaname, p.tablename, p.policyname,
      replace(p.qual, '( SELECT app_client() AS app_client) IS NULL', '( SELECT app_client() IS NULL)') as visible,
      replace(p.with_check, '( SELECT app_client() AS app_client) IS NULL', '( SELECT app_client() IS NULL)') as writable
    from pg_policies p where p.schemaname = 'public' and p.qual like '%( SELECT app_client() AS app_client) IS NULL%'
  loop
    execute format('alter policy %I on %I.%I using (%s)', rule.policyname, rule.schemaname, rule.tablename, rule.visible)
      || coalesce(format(' with check (%s)', rule.writable), '');
  end loop;
end $$;

-- step 0240-credential-estimates
-- Keys are found by agency, client and provider, and the planner knows only the rows of an average agency: for one with thousands it joined them one by one. It
-- now expects a hundredth of the table for anyone.
alter table credential alter column partner_id set (n_distinct = 100);
analyze credential (partner_id);

-- step 0245-unread-index
-- In its place, indexes.sql has one that begins with the columns of row-level security, so that the planner chooses it over that of the bell.
drop index notification_unread;

-- step 0250-report-refusals
-- How many reports of runs were refused, by hour and reason. It names no account, and tenants may not read it. The reasons are a closed list, so that no
-- caller can add rows.
create table report_refusal (
  hour timestamptz(0) not null,
  reason text not null check (reason in ('bad_token', 'unknown_run', 'unreadable', 'invalid', 'too_large', 'rate_limited', 'unavailable')),
  reports bigint not null,
  primary key (hour, reason)
);
grant select, insert, update, delete on report_refusal to portal_system;

-- step 0251-plan-updated
-- A form that was opened before another change is refused (If-Match).
alter table plan add column updated_at timestamptz(3) not null default now();

-- step 0252-agent-health-columns
-- Columns for the indexes of failing and silent agents. A run of an agent changes them at most once a day, or when a streak begins or ends; its other updates can
-- stay in their page. The table is rewritten, so the indexes that indexes.sql declares are dropped first, and built again after the start.
drop index if exists workflow_text;
drop index if exists workflow_newest;
drop index if exists workflow_not_installed;
drop index if exists workflow_paused;
drop index if exists workflow_template;
drop index if exists workflow_version;
alter table workflow
  add column last_run_day date generated always as ((last_run_at at time zone 'UTC')::date) stored,
  add column has_failures boolean not null generated always as (consecutive_failures > 0) stored;
analyze workflow (last_run_day, has_failures);

-- step 0253-conversation-age
-- conversation_newest (indexes.sql) takes its place: staff's list is ordered by the last message and the id, and many last messages may have one time.
drop index conversation_age;

-- step 0265-chat-budgets
-- What conversations with visitors may cost an agency: settings, and what chatbots used of the period (core/quota/chat-budget.ts).
alter table partner_quota
  add column chat_share_percent int not null default 40 check (chat_share_percent between 0 and 100),
  add column chat_conversation_credits int not null default 60 check (chat_conversation_credits >= 0),
  add column chat_visitor_credits int not null default 120 check (chat_visitor_credits >= 0),
  add column chatbot_credits int not null default 300 check (chatbot_credits >= 0),
  add column chat_used int not null default 0,
  add column chat_in_flight int not null default 0 check (chat_in_flight >= 0),
  add column chat_share_reached int,
  add column chat_reserve_reached int,
  add column chat_budgets_changed_at timestamptz(3);
comment on column partner_quota.chat_share_reached is 'the share in credits when it had no room for an answer in this period';
comment on column partner_quota.chat_reserve_reached is 'the credits without the reserve for events when these had no room for an answer in this period';
grant update (chat_share_percent, chat_conversation_credits, chat_visitor_credits, chatbot_credits, chat_budgets_changed_at) on partner_quota to portal_tenant;
create index partner_quota_chat_reached on partner_quota (partner_id) where chat_share_reached is not null or chat_reserve_reached is not null;

-- Credits of one day (UTC), used and held, of each conversation, of the visitors behind one network and of each chatbot.
create table chat_spending (
  partner_id uuid not null references partner,
  scope text not null check (scope in ('conversation', 'visitor', 'chatbot')),
  subject uuid not null,
  day date not null,
  used int not null default 0,
  held int not null default 0 check (held >= 0),
  reached_limit int,
  primary key (partner_id, scope, subject, day)
);
comment on column chat_spending.subject is 'id of the conversation or the chatbot; of a visitor a keyed hash of the network, from which no address follows';
comment on column chat_spending.reached_limit is 'the budget of a chatbot when it had no room for an answer on this day';
create index chat_spending_day on chat_spending (day);
create index chat_spending_reached on chat_spending (day) where reached_limit is not null;
call fence('chat_spending');

alter table conversation_turn add column visitor uuid;
comment on column conversation_turn.visitor is 'of the network of the visitor, as in chat_spending';
alter table ai_call
  add column chatbot_id uuid,
  add column visitor uuid,
  add column budget_day date,
  add column budget_held int not null default 0;
comment on column ai_call.budget_held is 'what it holds of the budgets of the day: credits, or their equal with the agency''s key';

alter table conversation drop constraint conversation_handoff_reason_check;
alter table conversation add constraint conversation_handoff_reason_check check (handoff_reason in ('visitor', 'unsure', 'phrase', 'quota', 'budget', 'failure', 'taken_over'));
alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in
  ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed', 'chatbot_failing', 'chatbot_budget'));

-- step 0270-who-is-texted
-- Whom the agents of a client text, and how many people in an hour that none of them has texted before.
alter table client
  add column text_countries text[] check (cardinality(text_countries) between 1 and 300 and array_position(text_countries, null) is null),
  add column first_contacts_per_hour int check (first_contacts_per_hour between 1 and 10000);
comment on column client.text_countries is 'ISO codes of the countries whose numbers are texted; null: the client''s own';
comment on column client.first_contacts_per_hour is 'people who are texted for the first time in an hour, at most; null: the default of the service';

alter table dispatch add column texts boolean not null default false, add column held_until timestamptz;
comment on column dispatch.texts is 'the contact is a phone number that the flow may text';
comment on column dispatch.held_until is 'when it is sent: the first contacts of the hour are used up';
create index dispatch_held on dispatch (partner_id, held_until) where held_until is not null;
grant select (held_until) on dispatch to portal_tenant;

-- People whose first text was handed to the engine. Rows older than an hour count for nothing and are deleted.
create table first_contact (
  partner_id uuid not null,
  client_id uuid,
  contact text not null,
  at timestamptz not null default now(),
  unique nulls not distinct (partner_id, contact, client_id)
);
create index first_contact_hour on first_contact (partner_id, client_id, at);
create index first_contact_age on first_contact (at);
call fence('first_contact', 'client_id', 'select');

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in
  ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed', 'chatbot_failing', 'chatbot_budget', 'first_contacts'));

-- step 0271-number-of-a-conversation
-- A visitor has one phone number in a conversation: agents reach no other one.
alter table conversation add column visitor_number text;
comment on column conversation.visitor_number is 'E.164; the number that agents text for this visitor, from the first run that names one';

-- step 0275-held-mail
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

-- step 0276-idempotency-bodies
-- The same Idempotency-Key with another body is refused. Null for keys of earlier versions and of the service itself, whose bodies are not compared.
alter table idempotency_key add column body_hash bytea;
alter table agent_request_key add column body_hash bytea;
alter table billing_key add column body_hash bytea;
alter table report_send_key add column body_hash bytea;
alter table client_import add column body_hash bytea;
comment on column client_import.body_hash is 'of the file and its settings, with key_hash';

-- step 0280-sql-tls
-- How the connection to a SQL database is secured. Keys that were saved before certificates were verified are tested in the background; until then, and
-- after a test that failed, they keep working with any certificate.
alter table credential
  add column tls text check (tls in ('off', 'verified', 'not_verified', 'untested', 'failed')),
  add column tls_due_at timestamptz(3),
  add column tls_problem text;
comment on column credential.tls is 'of a SQL database: off, verified, not_verified (chosen), untested or failed (saved before certificates were verified)';
comment on column credential.tls_due_at is 'when an untested key is tested next';
comment on column credential.tls_problem is 'why the certificate of a failed key is not verified, for its owner';
update credential set tls = 'untested', tls_due_at = now() where provider = 'postgres' and sealed is not null;
create index credential_tls_due on credential (tls_due_at) where tls = 'untested';
create index credential_tls_failed on credential (partner_id) where tls = 'failed';

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing',
  'credential_invalid', 'credential_unverified', 'sso_certificate', 'provisioning_failed', 'chatbot_failing',
  'chatbot_budget', 'first_contacts'));

-- step 0285-session-proof
-- When the user of a session last entered the password again. Null: not since it was opened.
alter table user_session add column proven_at timestamptz(3);

-- step 0295-sso-attempts
-- What became of each test login, and the last failed logins of a team, for its admins.

create table sso_attempt (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  purpose text not null check (purpose in ('login', 'test')),
  status text not null check (status in ('in_progress', 'succeeded', 'failed', 'timed_out')),
  user_id uuid references app_user on delete cascade,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  outcome jsonb,
  check ((status = 'in_progress') = (ended_at is null)),
  check (purpose = 'test' or status = 'failed')
);
comment on column sso_attempt.user_id is 'the admin who runs a test; null of a login, whose person is not known';
comment on column sso_attempt.outcome is 'what arrived and why it was not accepted, as last_test of sso_connection';
create index sso_attempt_partner on sso_attempt (partner_id, purpose, id);
create index sso_attempt_user on sso_attempt (user_id);
create index sso_attempt_running on sso_attempt (started_at) where status = 'in_progress';
create index sso_attempt_ended on sso_attempt (ended_at);
call fence('sso_attempt', null, 'select, insert, delete');

alter table sso_test add column attempt_id uuid;
alter table sso_login add column attempt_id uuid;
comment on column sso_test.attempt_id is 'the record of this test; it may be gone first';
comment on column sso_login.attempt_id is 'the record of this test; null of a login';

-- step 0296-sso-sources
-- Until when a provider says that a session lasts; and metadata that was pasted instead of read at an address.

alter table sso_code add column session_until timestamptz(3);
comment on column sso_code.session_until is 'SessionNotOnOrAfter of the assertion';

do $$
declare
  found text;
begin
  -- It had no name of its own: the check that SAML has an address of its metadata.
  select conname into strict found from pg_constraint
  where conrelid = 'sso_connection'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%metadata_url IS NOT NULL%';
  execute format('alter table sso_connection drop constraint %I', found);
end $$;
alter table sso_connection add constraint sso_connection_saml
  check ((protocol = 'saml') = (metadata_url is not null or idp_entity_id is not null));
comment on column sso_connection.metadata_url is 'null of metadata that an admin pasted, which is not read again';

-- step 0297-sso-logout
-- Log-out at the identity provider: whether a connection asks for it, where the provider takes it, and what each session needs for it.

alter table sso_connection
  add column logs_out boolean not null default false,
  add column idp_logout_url text,
  add column idp_logout_response_url text;
comment on column sso_connection.idp_logout_url is 'SingleLogoutService by HTTP-Redirect, or end_session_endpoint; null when the provider names none';
comment on column sso_connection.idp_logout_response_url is 'where its metadata wants responses, if elsewhere than requests';

-- What the provider needs to end its session. Kept while the session of the portal lasts, and only where the connection asks for it.
create table sso_session (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  jti uuid unique,
  subject_hash bytea,
  index_hash bytea,
  proof_sealed bytea not null,
  proof_key_id text not null,
  expires_at timestamptz(3) not null
);
comment on column sso_session.jti is 'the session of the portal; null until the one-time code is exchanged';
comment on column sso_session.subject_hash is 'of the name id, to find the sessions that the provider ends; null of OpenID Connect';
comment on column sso_session.index_hash is 'of the SessionIndex';
create index sso_session_subject on sso_session (partner_id, subject_hash);
create index sso_session_user on sso_session (user_id);
create index sso_session_expiry on sso_session (expires_at);
call fence('sso_session', null, 'select, delete');

alter table sso_code add column provider_session_id uuid;
comment on column sso_code.provider_session_id is 'its row of sso_session; it may be gone first';

-- Requests of providers to end sessions, while they would be accepted again.
create table sso_logout_request (
  partner_id uuid not null references partner,
  request_hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (partner_id, request_hash)
);
create index sso_logout_request_expiry on sso_logout_request (expires_at);
call fence('sso_logout_request', null, 'select');

-- step 0300-held-names
-- A mail that is held for a name is sent once staff have approved the name that it carries, and not another one that replaced it.
alter table mail add column held_names text[];
comment on column mail.held_names is 'names of the agency and client that staff had not approved when it was held for them';

-- step 0303-stop-list
-- The stop list says why a contact is on it and since which run; keywords of texts (core/contact/opt-out.ts) end their runs before the flow.
alter table opt_out
  add column id uuid,
  add column reason text not null default 'agent' check (reason in ('word', 'provider', 'agent', 'agency', 'client')),
  add column execution_id uuid,
  add column note text check (length(note) <= 500),
  add column added_by uuid references app_user on delete set null;
update opt_out set id = uuidv7(at - now());
alter table opt_out alter column id set default uuidv7(), alter column id set not null;
alter table opt_out add primary key (id);
comment on column opt_out.reason is 'how it was recognized: a word in a text, the phone provider''s field, an agent (its language model), or who added it by hand';
comment on column opt_out.execution_id is 'the run that brought it, also after that run was deleted';
create index opt_out_list on opt_out (partner_id, client_id, id desc);
create index opt_out_added_by on opt_out (added_by);
grant insert (partner_id, client_id, contact, reason, note, added_by), delete on opt_out to portal_tenant;

alter table dispatch add column keyword text check (keyword in ('opt_out', 'opt_in', 'help')), add column texted_number text;
comment on column dispatch.keyword is 'what the text of the event asks for besides an answer: its run ends before the flow';
comment on column dispatch.texted_number is 'number that the flow may text (E.164), when it is another than the contact';

-- step 0304-understood-input
-- The normalized values of an event, where they differ from the received ones, and remarks made while it was read.
alter table execution_payload add column understood jsonb, add column remarks jsonb;
comment on column execution_payload.understood is 'canonical values by input, where they differ from what came; null for one that is left out';
comment on column execution_payload.remarks is 'what was noticed while the event was read: [{ key, remark }], key null for the whole event';
alter table inbound_event add column remarks jsonb;
comment on column inbound_event.remarks is 'as of execution_payload, masked; of a refused event also what cannot be understood';

-- step 0315-event-ids
-- Where the agent finds the id of an event, {"header": name} or {"input": name}; null: where its template does, or in the header of a known sender.
alter table workflow add column event_id_from jsonb check (jsonb_typeof(event_id_from) = 'object');

-- step date-order
-- How the senders of an agent write dates such as 05/01/2027; null: as the country and language of its client say.
alter table workflow add column date_order text check (date_order in ('day_first', 'month_first'));

-- step run-tone
-- Whether what a run that succeeded came to is good, neutral or needs a person.
alter table execution add column tone text check (tone in ('good', 'neutral', 'attention'));

-- step purchased-beyond
-- Seats that a new plan includes end with the period; a plan that includes fewer again keeps them.
alter table subscription add column purchased_beyond int;
comment on column subscription.purchased_beyond is 'included seats that the purchased ones were bought beyond, since terms changed in this period; null: those of the present terms';

-- step past-usage
-- Notes what was used before notes began, in place of the notes of that agency: of every agency of 0.2.0, and of those of a later version that were not added yet.
lock table workflow_hour, usage_entry, usage_delta in share row exclusive mode;
insert into usage_fill select p.id from partner p
where not exists (select from usage_hour h where h.partner_id = p.id) and not exists (select from usage_delta d where d.partner_id = p.id) on conflict do nothing;
delete from usage_delta d using usage_fill f where d.partner_id = f.partner_id;
insert into usage_delta (partner_id, workflow_id, client_id, hour, counter, credits, entries, succeeded, failed, contacted, helped)
select h.partner_id, h.workflow_id, h.client_id, h.hour, 'ended_runs', h.credits, 0, h.succeeded, h.failed, h.contacted, h.helped
from workflow_hour h join usage_fill f on f.partner_id = h.partner_id
union all
select u.partner_id, null, k.client_id, date_trunc('hour', u.at, 'UTC'), k.counter, -sum(u.credits), count(*), 0, 0, 0, 0
from usage_entry u join usage_fill f on f.partner_id = u.partner_id cross join lateral (
  select u.kind as counter, null::uuid as client_id
  union all select 'ai_calls', u.client_id where u.kind = 'ai_tokens' and u.execution_id is null) k
group by 1, 3, 4, 5;
drop table usage_fill;

-- step unused-indexes
-- No statement reads them: agencies are listed by id, invoices by invoice_dated and invoice_issued_sums.
drop index partner_created, invoice_issued;

-- step sample-data
-- Marks an agency whose rows from before ends_at are a made-up past, written by the quick start.
create table sample_data (
  partner_id uuid primary key references partner,
  begins_at  timestamptz(3) not null,
  ends_at    timestamptz(3) not null check (ends_at = date_trunc('hour', ends_at, 'UTC')),
  check (begins_at < ends_at)
);
call fence('sample_data', null, 'select');

-- step worker-heartbeat
-- When a process last said that it takes jobs. One row, which the first start writes in any role, so that a service without workers differs from one that has just started.
create table worker_heartbeat (
  id      boolean primary key default true check (id),
  seen_at timestamptz(3) not null default now()
);

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing',
  'credential_invalid', 'credential_unverified', 'sso_certificate', 'provisioning_failed', 'chatbot_failing',
  'chatbot_budget', 'first_contacts', 'no_worker'));

-- step webhook-events
-- Which event types an endpoint is sent, and the signature header of each attempt.
alter table webhook_endpoint add column events text[] not null default '{}';
comment on column webhook_endpoint.events is 'event types that are sent; empty: all, also those of later versions';
alter table delivery_attempt add column signature text;
comment on column delivery_attempt.signature is 'the signature header that was sent; null until the attempt has ended, and for one that a crash interrupted';

-- step result-values
-- What an agency thinks one result of a template is worth to its clients, all in one currency; without rows its reports show no amounts.
create table result_value (
  partner_id    uuid not null references partner,
  template_name text not null,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  value_minor   int not null check (value_minor between 1 and 100000000),
  updated_at    timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
call fence('result_value', 'none', 'select, insert, update, delete');

-- step connection-hash
alter table engine_connection
  add column value_hash bytea,
  add column engine_updated text;

-- step traces
-- Headers `traceparent` of what caused an event and of the reaction that queued a delivery; null unless tracing is on.
alter table event add column traceparent text;
comment on column event.traceparent is 'header traceparent of the span that caused it; null unless tracing is on';
alter table delivery add column traceparent text;
comment on column delivery.traceparent is 'header traceparent of the span that its attempts belong below; null unless tracing is on';

-- step first-answers
-- One table for the first answers of all modules. Keys of 0.2.0 count on: those of agent requests, which it alone had.
create table first_answer (
  partner_id uuid not null references partner,
  client_id  uuid references client on delete cascade,
  key_hash   bytea not null,
  body_hash  bytea,
  answer     jsonb,
  created_at timestamptz(3) not null,
  primary key (partner_id, key_hash)
);
create index first_answer_client on first_answer (client_id);
create index first_answer_age on first_answer (created_at);
call fence('first_answer', 'client_id', 'select, insert, update');
insert into first_answer (partner_id, client_id, key_hash, body_hash, answer, created_at)
select partner_id, client_id, key_hash, body_hash, to_jsonb(request_ids), created_at from agent_request_key where results is null;
drop table agent_request_key, billing_key, report_send_key;

-- step drift-found
-- Since when a flow has been missing or changed, for the work queue; earlier checks say when it was found last.
alter table workflow_drift add column found_at timestamptz(3);
update workflow_drift set found_at = checked_at where state in ('missing', 'changed');
create index workflow_drift_found on workflow_drift (partner_id) where found_at is not null;

-- step knowledge-attempts
-- Documents are read by turns between agencies, and their attempts are counted by the document instead of by its job.
alter table knowledge_document add column attempts int not null default 0;
comment on column knowledge_document.attempts is 'readings that began since it was last changed';

-- step message-words
-- Words alone, as searches hold them: an address, a date or a price was one word.
drop index conversation_message_words;
create index conversation_message_words on conversation_message using gin
  (partner_id, to_tsvector('simple', translate(content, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))));

-- step on-since
-- Since when an agent runs again; its silence does not count from before.
alter table workflow add column on_since timestamptz(3);

-- step entries-for-staff
-- Who of staff took an item of the work queue was in the log of the agency, with the name of a client.
update audit_entry set partner_id = (select id from partner where is_house), target_label = null
where action = 'work_item.assigned' and partner_id <> (select id from partner where is_house);
-- Entries about mail named people of clients without the client, and subscribers who have left.
update audit_entry set target_label = null where target_type = 'mail';
-- What staff wrote for staff had names that the agency reads.
update audit_entry set changes = changes - 'note' - 'clockPausedReason' || jsonb_build_object('internalNotes', coalesce(changes -> 'note', changes -> 'clockPausedReason'))
where (action in ('name_review.approved', 'name_review.rejected') and changes ? 'note') or (action = 'billing.subscription_changed' and changes ? 'clockPausedReason');

-- step run-contacts
-- Whom a run that is under way may write to, so that another for the same person counts it as a contact.
alter table under_way add column contact text;
comment on column under_way.contact is 'that of its dispatch';
create index under_way_contact on under_way (workflow_id, contact) where contact is not null;

-- step domain-addresses
-- Links to clients lead to their agency's host only while it has an address. Hosts that are served count as having one until their next check.
alter table partner_domain add column has_address boolean not null default true;
alter table partner_domain alter column has_address set default false;
comment on column partner_domain.has_address is 'whether the name servers'' last answer about the host had an address';
alter table partner_domain drop constraint partner_domain_problem_check;
alter table partner_domain add constraint partner_domain_problem_check
  check (problem in ('record_missing', 'wrong_value', 'several_values', 'no_answer', 'taken', 'no_address'));

-- step known-contacts
-- Whom a removed agent has texted, also within this hour. Without the time of their first contact they counted in no hour.
alter table first_contact add column is_known boolean not null default false;
comment on column first_contact.is_known is 'an agent that was removed since has texted them';
update first_contact set is_known = true where at = '-infinity';
drop index first_contact_age;
create index first_contact_age on first_contact (at) where not is_known;

-- step ends-of-trials
-- A resumed trial was active on its trial plan, which costs nothing, without an end. Another trial begins for those that pay nothing.
update subscription s set past_due_since = null,
  status = case s.status when 'suspended' then 'expired' else 'trialing' end,
  trial_ends_at = case s.status when 'suspended' then now() else now() + make_interval(days => coalesce(g.trial_days, 14)) end
from plan g where g.id = s.plan_id and g.is_trial and s.status in ('active', 'past_due', 'suspended')
  and s.cancel_at is null and s.pending_plan_id is null and s.purchased_seats = 0
  and coalesce((s.overrides ->> 'monthlyPriceMinor')::int, g.monthly_price_minor) = 0;

-- step own-knowledge
-- What a business says of itself has its headings and titles in its language: it is read again by the sweep of readings.
update knowledge_document set status = 'pending', attempts = 0, problem = null where kind <> 'file';

-- step message-letters
-- Conversations are found without the accents of their messages, and with them.
drop index conversation_message_words;
create index conversation_message_words on conversation_message using gin
  (partner_id, to_tsvector('simple', translate(
    replace(replace(replace(replace(replace(replace(replace(replace(normalize(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]', '', 'g'), nfc),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'),
    '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~øØłŁđĐðÐı', repeat(' ', 32) || 'oollddddi')));

-- step sent-about
-- What an agent sent is known by the quote or visit that it was about. What it sent before may have been about any (sent_about).
insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, reason, ended_at)
select m.partner_id, w.client_id, m.workflow_id, case w.template_name when 'quote-follow-up' then 'nudge' else 'reminder' end, 'run', 'before ' || m.contact,
  m.last_at, m.last_at + interval '100 days', '{}', 'started', 'sent', now()
from workflow_contact m join workflow w on w.id = m.workflow_id
where w.template_name in ('quote-follow-up', 'appointment-reminder') and m.last_at > now() - interval '100 days';
comment on column dispatch.texts is 'the contact, or the other number, is a phone number that the flow may text';

-- step visit-subjects
-- A visit without an id is known by its start and customer, each in one spelling (plan_subject).
update planned_run p set subject = v.subject
from (
  select distinct on (o.workflow_id, o.due_at, s.subject) o.id, s.subject
  from planned_run o cross join lateral (select 'visit:' || encode(sha256(convert_to(concat_ws('|',
    case when pg_input_is_valid(o.input->>'startTime', 'timestamptz') then ((o.input->>'startTime')::timestamptz at time zone 'UTC')::text || '+00' else o.input->>'startTime' end,
    o.input->>'attendeePhone', lower(o.input->>'attendeeEmail'), o.input->>'attendeeName'), 'UTF8')), 'hex') as subject) s
  where o.status = 'waiting' and o.subject = 'visit:' || encode(sha256(convert_to(concat_ws('|',
      o.input->>'startTime', o.input->>'attendeePhone', o.input->>'attendeeEmail', o.input->>'attendeeName'), 'UTF8')), 'hex')
    -- Subjects of what was understood, which versions since 0.2.0 wrote, stay; so does one whose new subject another row has at its time.
    and not exists (select from planned_run x where x.workflow_id = o.workflow_id and x.subject = s.subject and x.due_at = o.due_at)
  order by o.workflow_id, o.due_at, s.subject, o.id desc) v
where p.id = v.id;

-- step dispatch-retries
-- Runs between two attempts, by whom they may text (other_runs).
create index dispatch_retries on dispatch (partner_id, workflow_id, contact) where attempts > 0 and claimed_until is null;

-- step run-tokens
-- What a run cost has its AI tokens on a platform key as well (finish_executions), as the ledger has them.
update execution e set credits_charged = -(t.credits + coalesce(r.credits, 0))
from usage_entry t left join usage_entry r on r.id = t.id and r.kind = 'run'
where t.kind = 'ai_tokens' and e.id = t.id;

-- step read-index
-- Who read a conversation is found by conversation_read_first, which begins with the user as well.
drop index conversation_read_user;

-- step stopped-runs
-- Whether a run stopped, which was read from its output until that was dropped.
alter table execution add column stopped boolean not null default false;
update execution e set stopped = true from execution_payload p
where p.partner_id = e.partner_id and p.id = e.id and p.output ->> 'skipped' = 'true' and e.status = 'SUCCEEDED';

-- step forgotten-texts
-- Up to which run summaries and error messages were emptied: none yet.
create table forgotten_text (upto uuid not null);
create unique index forgotten_text_once on forgotten_text ((true));
grant select, update on forgotten_text to portal_system;
insert into forgotten_text values ('00000000-0000-0000-0000-000000000000');

-- step names
-- Constraints that kept the name of a column from before it was renamed, or that were numbered with one that is gone.
alter table user_mfa rename constraint user_mfa_master_key_id_not_null to user_mfa_secret_key_id_not_null;
alter table sso_connection rename constraint sso_connection_check3 to sso_connection_own_key;
alter table sso_connection rename constraint sso_connection_check4 to sso_connection_next_key;
alter table sso_connection rename constraint sso_connection_check5 to sso_connection_next_after_own;
