-- Returns whether the plan of a partner, or its own terms, include a feature; false without a plan. A client's session may read neither, hence the rights of the owner.
create or replace function has_feature(of_partner uuid, feature text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((
    select (features_of(g.features, s.overrides)->>feature)::boolean
    from subscription s join plan g on g.id = s.plan_id
    where s.partner_id = of_partner and (current_setting('role') = 'portal_system' or of_partner = (select app_partner()))
  ), false)
$$;
revoke execute on function has_feature from public;
grant execute on function has_feature to portal_tenant, portal_system;
