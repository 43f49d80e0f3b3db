-- The initial plans, and the reserved partner of staff users.
insert into plan (name, description, monthly_price_minor, included_seats, included_clients, monthly_credits, seat_price_minor, credit_packs, features, is_public, is_trial, trial_days, sort) values
  ('Trial', 'Fourteen days with everything switched on.', 0, 3, 3, 500, 0, '[]',
   '{"sso": false, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 365}', true, true, 14, 1),
  ('Starter', 'For a first handful of clients.', 9900, 3, 10, 2000, 1500, '[{"id": "pack-1000", "credits": 1000, "priceMinor": 2900}]',
   '{"sso": false, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 365}', true, false, null, 2),
  ('Growth', 'For an agency that lives on it.', 29900, 10, 50, 10000, 1500, '[{"id": "pack-1000", "credits": 1000, "priceMinor": 2900}, {"id": "pack-10000", "credits": 10000, "priceMinor": 19900}]',
   '{"sso": true, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 730}', true, false, null, 3),
  ('Scale', 'Many teams, many clients, single sign-on.', 99900, 50, 500, 100000, 1200, '[{"id": "pack-10000", "credits": 10000, "priceMinor": 14900}]',
   '{"sso": true, "chatbot": true, "customTemplates": true, "aiPlatformKeys": true, "auditRetentionDays": 1095}', true, false, null, 4);
insert into partner (name, slug, is_house) values ('Portal staff', 'house', true);
