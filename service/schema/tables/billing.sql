-- Subscriptions, orders, and invoices with what is frozen when one is issued.

-- The subscription of an agency: one row each, with the present period and the changes at its end.
create table subscription (
  id                   uuid primary key default uuidv7(),
  partner_id           uuid not null unique references partner,
  plan_id              uuid not null references plan,
  status               text not null check (status in ('trialing', 'active', 'past_due', 'suspended', 'expired', 'cancelled')),
  current_period_start timestamptz(3) not null,
  current_period_end   timestamptz(3) not null,
  trial_ends_at        timestamptz(3),
  purchased_seats      int not null default 0,
  overrides            jsonb not null default '{}',
  cancel_at            timestamptz(3),
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  -- Boundaries of periods are whole months after it, the day clamped to the month.
  period_anchor        timestamptz(3) not null,
  currency             text not null,
  -- Seats given by staff, not charged.
  granted_seats        int not null default 0,
  -- Purchased seats that end with the period, as far as they are free then.
  pending_seat_release int not null default 0 check (pending_seat_release >= 0),
  -- Plan and overrides that replace the present ones when the period ends.
  pending_plan_id      uuid references plan,
  pending_overrides    jsonb,
  past_due_since       timestamptz(3),
  clock_paused_at      timestamptz(3),
  clock_paused_reason  text,
  -- Included seats that the purchased ones were bought beyond, since terms changed in this period; null: those of the present terms. The next
  -- period bills no purchased seat that its terms include beyond them.
  purchased_beyond     int,
  check (purchased_seats >= 0),
  check ((clock_paused_at is null) = (clock_paused_reason is null)),
  check ((pending_plan_id is null) = (pending_overrides is null))
);
create index subscription_plan on subscription (plan_id);
create index subscription_trial on subscription (trial_ends_at) where status = 'trialing';
create index subscription_due on subscription (current_period_end, partner_id) where status in ('trialing', 'active', 'past_due', 'suspended');
create index subscription_pending_plan on subscription (pending_plan_id);
call fence('subscription');
-- The agency itself sets how many seats end with the period; with the right it may also lock its subscription while it buys.
grant update (pending_seat_release) on subscription to portal_tenant;

-- The invoice recipient. The agency changes it, except for the tax, which staff set.
create table billing_profile (
  partner_id            uuid primary key references partner,
  billing_email         text,
  tax_id                text,
  address               text,
  country               text check (country ~ '^[A-Z]{2}$'),
  tax_rate_basis_points int not null default 0 check (tax_rate_basis_points between 0 and 10000),
  tax_note              text,
  updated_at            timestamptz(3) not null default now()
);
call fence('billing_profile', null, 'select, insert, update');

-- A purchase of seats or credits.
create table billing_order (
  id               uuid primary key default uuidv7(),
  partner_id       uuid not null references partner,
  kind             text not null check (kind in ('seats', 'credits')),
  quantity         int not null check (quantity > 0),
  unit_price_minor int not null check (unit_price_minor >= 0),
  amount_minor     bigint not null check (amount_minor >= 0),
  currency         text not null,
  pack_id          text,
  credits          int,
  status           text not null default 'confirmed' check (status in ('confirmed', 'invoiced', 'void')),
  ordered_by       uuid references app_user on delete set null,
  created_at       timestamptz(3) not null default now(),
  check ((kind = 'credits') = (pack_id is not null and credits is not null))
);
create index billing_order_partner on billing_order (partner_id, id desc);
create index billing_order_orderer on billing_order (ordered_by);
call fence('billing_order', null, 'select, insert');

-- Credits or seats that staff add or take without charge. A row is never changed, only countered by another one.
create table billing_adjustment (
  id          uuid primary key default uuidv7(),
  partner_id  uuid not null references partner,
  credits     int,
  seats       int,
  note        text not null,
  adjusted_by uuid references app_user on delete set null,
  created_at  timestamptz(3) not null default now(),
  check ((credits is null) <> (seats is null)),
  check (coalesce(credits, seats) <> 0)
);
create index billing_adjustment_partner on billing_adjustment (partner_id, id desc);
create index billing_adjustment_adjuster on billing_adjustment (adjusted_by);
call fence('billing_adjustment');

-- An invoice or credit note. Seller and buyer are frozen when it is issued.
create table invoice (
  id                    uuid primary key default uuidv7(),
  partner_id            uuid not null references partner,
  kind                  text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
  status                text not null default 'draft' check (status in ('draft', 'issued', 'paid', 'void')),
  number                text unique,
  currency              text not null,
  period_start          timestamptz(3),
  period_end            timestamptz(3),
  subtotal_minor        bigint not null default 0,
  tax_rate_basis_points int not null default 0,
  tax_note              text,
  tax_minor             bigint not null default 0,
  total_minor           bigint not null default 0,
  -- Identity of the seller, frozen when issued; buyer likewise.
  seller                jsonb,
  buyer                 jsonb,
  issued_at             timestamptz(3),
  due_at                timestamptz(3),
  paid_at               timestamptz(3),
  paid_reference        text,
  voided_at             timestamptz(3),
  void_reason           text,
  payment_instructions  text,
  credits_invoice_id    uuid references invoice,
  credit_reason         text,
  -- When its mail was queued; set once.
  mailed_at             timestamptz(3),
  -- How many of the reminders after the due date were sent.
  reminders_sent        int not null default 0,
  created_at            timestamptz(3) not null default now(),
  check ((kind = 'credit_note') = (credits_invoice_id is not null)),
  check (total_minor = subtotal_minor + tax_minor),
  check ((number is null) = (issued_at is null)),
  check ((status in ('issued', 'paid')) <= (number is not null and seller is not null and buyer is not null))
);
create index invoice_partner on invoice (partner_id, id desc);
create index invoice_overdue on invoice (due_at) where status = 'issued' and kind = 'invoice';
create index invoice_credited on invoice (credits_invoice_id);
create index invoice_unmailed on invoice (issued_at) where mailed_at is null and status in ('issued', 'paid');
create unique index invoice_one_per_period on invoice (partner_id, period_start)
  where kind = 'invoice' and status <> 'void' and period_start is not null;
call fence('invoice');

-- A line of an invoice. Without an invoice it waits for the next one.
create table invoice_line (
  id               uuid primary key default uuidv7(),
  partner_id       uuid not null references partner,
  invoice_id       uuid references invoice,
  position         int not null default 0,
  kind             text not null check (kind in ('plan', 'seats', 'credits', 'plan_credit', 'credit_note')),
  description      text not null,
  quantity         int not null,
  unit_price_minor int not null,
  amount_minor     bigint not null,
  currency         text not null,
  period_start     timestamptz(3),
  period_end       timestamptz(3),
  order_id         uuid references billing_order,
  created_at       timestamptz(3) not null default now()
);
create index invoice_line_invoice on invoice_line (invoice_id);
create index invoice_line_waiting on invoice_line (partner_id, id) where invoice_id is null;
create index invoice_line_order on invoice_line (order_id);
call fence('invoice_line', null, 'select, insert');

-- The last number used in each year. It is taken in the transaction that issues, so numbers have no gaps.
create table invoice_number (
  year int primary key,
  last int not null
);
grant select, insert, update on invoice_number to portal_system;

-- The PDF of an issued invoice. Stored once, never replaced.
create table invoice_document (
  invoice_id uuid primary key references invoice,
  partner_id uuid not null references partner,
  created_at timestamptz(3) not null default now(),
  file_id    uuid not null unique references file
);
create index invoice_document_partner on invoice_document (partner_id);
call fence('invoice_document');
