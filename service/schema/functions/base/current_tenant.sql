-- Who is asking. Set per transaction (set_config(..., true)); unset means no rows.
create or replace function app_partner() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.partner_id', true), '')::uuid $$;

create or replace function app_client() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.client_id', true), '')::uuid $$;
