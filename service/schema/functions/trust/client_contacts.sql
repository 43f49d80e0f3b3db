-- Return whom a client may know of outside its own users: the admins of its agency by name, and who is invited to its portal. Definer: a client may read
-- neither. Both take the tenant from the session.
create or replace function agency_admins() returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select u.full_name from app_user u
  where u.partner_id = (select app_partner()) and u.client_id is null and u.role = 'PARTNER' and u.partner_role = 'admin' and u.status = 'active' and u.full_name <> ''
  order by u.full_name limit 50
$$;
revoke execute on function agency_admins from public;
grant execute on function agency_admins to portal_tenant;

create or replace function client_invitations() returns table (id uuid, full_name text, email text, sent_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select i.id, i.full_name, i.email, i.sent_at, i.expires_at from invitation i
  where i.partner_id = (select app_partner()) and i.client_id = (select app_client()) and i.status = 'pending' and i.expires_at > now()
  order by i.id desc limit 200
$$;
revoke execute on function client_invitations from public;
grant execute on function client_invitations to portal_tenant;
