-- Returns the host on which an agency's client portal is served, for links that its clients get; null while it has none, or none with an address,
-- and for a user of the agency itself. Definer: a session of a client may read neither the domain nor the plan.
create or replace function portal_host_of(of_partner uuid, of_user uuid default null) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select d.host
  from partner_domain d join subscription s on s.partner_id = d.partner_id join plan g on g.id = s.plan_id
  where d.partner_id = of_partner and d.status = 'verified' and d.has_address
    and coalesce((features_of(g.features, s.overrides)->>'customDomain')::boolean, false)
    and (of_user is null or exists (select from app_user u where u.id = of_user and u.partner_id = of_partner and u.role = 'CLIENT'))
    and (current_setting('role') = 'portal_system' or of_partner = (select app_partner()))
$$;
revoke execute on function portal_host_of from public;
grant execute on function portal_host_of to portal_tenant, portal_system;
