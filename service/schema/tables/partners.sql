-- An agency, the tenant that everything else belongs to. `partner_id` repeats the id, so that the policies of all tables compare the same column.
create table partner (
  id                  uuid primary key default uuidv7(),
  partner_id          uuid generated always as (id) stored,
  name                text not null,
  slug                text not null unique,
  status              text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
  -- The reserved partner of staff users: never listed, provisioned or billed.
  is_house            boolean not null default false,
  automation_provider text,
  logo_url            text,
  brand_color         text,
  support_email       text,
  website             text,
  timezone            text not null default 'UTC',
  internal_notes      text,
  suspended_at        timestamptz(3),
  suspension_reason   text,
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  -- A payment lifts only a suspension by billing.
  suspension_cause    text check (suspension_cause in ('manual', 'billing', 'policy', 'deletion_approved')),
  -- References media, see media.sql.
  logo_media_id       uuid
);
create unique index partner_house on partner (is_house) where is_house;
create index partner_partner on partner (partner_id);
create index partner_logo on partner (logo_media_id) where logo_media_id is not null;
call fence('partner', 'none', 'select, update');

-- The agency of the portal's staff.
insert into partner (name, slug, is_house) values ('Portal staff', 'house', true);
