-- The text in place of a logo; for a tenant that of its own agency only. A client's session does not see media of its partner, hence the rights of the owner.
-- current_setting('role') shows the caller's role inside a definer function too.
create or replace function logo_text(media_id uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select nullif(m.alt_text, '') from media m
  where m.id = media_id and m.purpose = 'logo' and (current_setting('role') = 'portal_system' or m.partner_id = (select app_partner()));
$$;
revoke execute on function logo_text from public;
grant execute on function logo_text to portal_tenant, portal_system;
