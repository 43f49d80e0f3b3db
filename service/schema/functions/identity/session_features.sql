-- Returns what the plan of a partner includes, with the partner's own terms. Definer: a session of a client may read neither, and shows what its
-- agency's plan brings to the client.
-- current_setting('role') shows the caller's role inside a definer function too.
create or replace function session_features(of_partner uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select features_of(g.features, s.overrides)
  from subscription s join plan g on g.id = s.plan_id
  where s.partner_id = of_partner and (current_setting('role') = 'portal_system' or of_partner = (select app_partner()))
$$;
revoke execute on function session_features from public;
grant execute on function session_features to portal_tenant, portal_system;
