-- Return the tenant of the transaction, set with set_config(..., true). Unset: no rows are visible.
create or replace function app_partner() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.partner_id', true), '')::uuid $$;

create or replace function app_client() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.client_id', true), '')::uuid $$;
