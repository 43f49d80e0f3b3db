-- Plans that an agency can subscribe to: price, seats, clients, monthly credits and features.
create table plan (
  id                  uuid primary key default uuidv7(),
  name                text not null unique,
  description         text not null,
  monthly_price_minor int not null check (monthly_price_minor >= 0),
  currency            text not null default 'USD',
  included_seats      int not null,
  included_clients    int not null,
  monthly_credits     int not null,
  seat_price_minor    int not null,
  credit_packs        jsonb not null default '[]',
  features            jsonb not null,
  is_public           boolean not null default true,
  is_trial            boolean not null default false,
  trial_days          int,
  is_active           boolean not null default true,
  sort                int not null default 0,
  -- A form that was opened before another change is refused (If-Match).
  updated_at          timestamptz(3) not null default now()
);
grant select on plan to portal_tenant, portal_system;
grant insert, update on plan to portal_system;

-- The plans of a new installation; staff change them under Plans.
insert into plan (name, description, monthly_price_minor, included_seats, included_clients, monthly_credits, seat_price_minor, credit_packs, features,
  is_public, is_trial, trial_days, sort)
values
  ('Trial', 'Fourteen days with everything switched on.', 0, 3, 3, 500, 0, '[]',
   '{"sso": false, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 365, "customDomain": false}',
   true, true, 14, 1),
  ('Starter', 'For a first handful of clients.', 9900, 3, 10, 2000, 1500, '[{"id": "pack-1000", "credits": 1000, "priceMinor": 2900}]',
   '{"sso": false, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 365, "customDomain": false}',
   true, false, null, 2),
  ('Growth', 'For an agency that lives on it.', 29900, 10, 50, 10000, 1500,
   '[{"id": "pack-1000", "credits": 1000, "priceMinor": 2900}, {"id": "pack-10000", "credits": 10000, "priceMinor": 19900}]',
   '{"sso": true, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 730, "customDomain": true}',
   true, false, null, 3),
  ('Scale', 'Many teams, many clients, single sign-on.', 99900, 50, 500, 100000, 1200, '[{"id": "pack-10000", "credits": 10000, "priceMinor": 14900}]',
   '{"sso": true, "chatbot": true, "customTemplates": true, "aiPlatformKeys": true, "auditRetentionDays": 1095, "customDomain": true}',
   true, false, null, 4);
