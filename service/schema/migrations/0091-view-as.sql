-- Looking through somebody else's eyes: read-only, for half an hour, with a reason. Both are on record: who looks, and at whom.

-- `partner_id` and `client_id` are whose view it is, so that those who were looked at may see it themselves.
create table view_as_session (
  id uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  acting_user_id uuid not null references app_user on delete cascade,
  acting_jti uuid not null,
  acting_email text not null,
  acting_name text not null,
  reason text not null,
  started_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
comment on column view_as_session.id is 'the jti of its token';
comment on column view_as_session.acting_name is 'as it was then: those who were looked at cannot read the row of the one who looked';
comment on column view_as_session.acting_jti is 'the session it was opened from: signing that one out ends this one as well';
create index view_as_session_partner on view_as_session (partner_id, started_at desc, id desc);
create index view_as_session_client on view_as_session (client_id);
create index view_as_session_actor on view_as_session (acting_user_id);
call fence('view_as_session', 'client_id', 'select, insert, update');

-- As before, and for a session that looks as somebody else (acting_user is the person at the keyboard, who is then user_id
-- too) it asks two things: does that person still stand, and may they still see whom the session names.
drop function assert_session(uuid, uuid, uuid, timestamptz, uuid, boolean);
create function assert_session(
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
  -- Ended before disabled: disabling ends every session, and an older token is told so (401) like any other that was ended.
  -- iat counts whole seconds: a session is dead when it was issued before the second in which sessions were ended.
  if issued_at < date_trunc('second', found_user.sessions_valid_from) then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if found_user.status <> 'active' then raise exception 'user disabled' using errcode = 'PS404'; end if;
  if exists (select 1 from revoked_session r where r.jti = session_jti) then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if not while_suspended and (partner_status <> 'active' or client_status <> 'active') then
    raise exception 'account suspended' using errcode = 'PS403';
  end if;
end $$;
revoke execute on function assert_session(uuid, uuid, uuid, timestamptz, uuid, boolean, uuid) from public;
grant execute on function assert_session(uuid, uuid, uuid, timestamptz, uuid, boolean, uuid) to portal_service, portal_tenant, portal_system;
