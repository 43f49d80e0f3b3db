-- Returns whether another agency has proved that a host is its own. Definer: an agency sees only its own claim. Its answer is what anyone sees who
-- opens the host.
create or replace function is_host_taken(of_host text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from partner_domain d where d.host = of_host and d.status = 'verified' and d.partner_id is distinct from (select app_partner()))
$$;
revoke execute on function is_host_taken from public;
grant execute on function is_host_taken to portal_tenant;
