-- Returns whether a user is staff. Partners see that staff acted, not who; this is all they may know of a user they cannot read.
create or replace function is_staff(user_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
  as $$ select exists (select 1 from app_user u where u.id = user_id and u.role = 'ADMIN') $$;
revoke execute on function is_staff from public;
grant execute on function is_staff to portal_tenant, portal_system;
