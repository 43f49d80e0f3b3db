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
