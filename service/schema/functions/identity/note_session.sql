-- Records that a session was opened or used. Sessions that were opened before they were recorded are added by their next use. A user who is gone has none.
create or replace function note_session(
  noted_jti uuid, noted_user uuid, method text, from_address text, with_agent text, opened timestamptz, used timestamptz, expires timestamptz
)
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into user_session as s (jti, partner_id, client_id, user_id, auth_method, address, user_agent, opened_at, last_used_at, expires_at)
  select noted_jti, u.partner_id, u.client_id, u.id, method, from_address, with_agent, opened, used, expires from app_user u where u.id = noted_user
  on conflict (jti) do update set address = excluded.address, user_agent = excluded.user_agent,
    last_used_at = greatest(s.last_used_at, excluded.last_used_at)
  where s.user_id = excluded.user_id
$$;
revoke execute on function note_session from public;
grant execute on function note_session to portal_service, portal_tenant, portal_system;
