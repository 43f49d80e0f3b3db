-- Asserts that user, session and account are still valid; opens every tenant and staff transaction, so that revocation and suspension take
-- effect at once without a round trip of their own. In a view-as session (acting_user is the viewer, who is then user_id too) it checks that
-- the viewer is still valid and may still view the account of the session.
create or replace function assert_session(
  user_id uuid, session_partner uuid, session_client uuid, issued_at timestamptz, session_jti uuid, while_suspended boolean, acting_user uuid default null
)
returns void language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found_user record;
  viewed record;
  partner_status text;
  client_status text;
begin
  select u.status, u.role, u.sessions_valid_from, u.partner_id, u.client_id, p.status as partner_status, c.status as client_status
    into found_user
    from app_user u join partner p on p.id = u.partner_id left join client c on c.id = u.client_id
   where u.id = assert_session.user_id;
  if found_user is null then raise exception 'session revoked' using errcode = 'PS401'; end if;
  partner_status := found_user.partner_status;
  client_status := coalesce(found_user.client_status, 'active');
  if acting_user is null then
    if found_user.partner_id <> session_partner or found_user.client_id is distinct from session_client then
      raise exception 'session revoked' using errcode = 'PS401';
    end if;
  else
    select v.acting_jti, p.status as partner_status, coalesce(c.status, 'active') as client_status
      into viewed
      from view_as_session v join partner p on p.id = v.partner_id left join client c on c.id = v.client_id
     where v.id = session_jti and v.acting_user_id = acting_user and v.partner_id = session_partner
       and v.client_id is not distinct from session_client and v.ended_at is null and v.expires_at > now();
    if viewed is null or acting_user <> assert_session.user_id or viewed.partner_status = 'deleted' or viewed.client_status = 'deleted'
      or found_user.partner_status <> 'active'
      or not (found_user.role = 'ADMIN' or (found_user.role = 'PARTNER' and found_user.partner_id = session_partner and session_client is not null))
      or exists (select 1 from revoked_session r where r.jti = viewed.acting_jti)
    then
      raise exception 'session revoked' using errcode = 'PS401';
    end if;
    partner_status := viewed.partner_status;
    client_status := viewed.client_status;
  end if;
  -- Revoked before disabled: disabling revokes every session, so an older token gets 401 like any revoked one.
  -- iat counts whole seconds: a session is revoked when it was issued before the second of the revocation.
  if issued_at < date_trunc('second', found_user.sessions_valid_from) then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if partner_status = 'deleted' or client_status = 'deleted' then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if found_user.status <> 'active' then raise exception 'user disabled' using errcode = 'PS404'; end if;
  if exists (select 1 from revoked_session r where r.jti = session_jti) then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if not while_suspended and (partner_status <> 'active' or client_status <> 'active') then
    raise exception 'account suspended' using errcode = 'PS403';
  end if;
end $$;
revoke execute on function assert_session from public;
grant execute on function assert_session to portal_service, portal_tenant, portal_system;
