-- A user who is enabled later gets no daily summary of what waited when they were disabled.
create or replace function drop_digest_of_disabled() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with held as materialized (
    select n.id from notification n where n.user_id = old.id and n.mail = 'daily' and n.digested_at is null order by n.id for no key update
  )
  update notification n set mail = 'off' from held h where n.id = h.id;
  return new;
end $$;
revoke execute on function drop_digest_of_disabled from public;
create or replace trigger app_user_disabled_digest before update of status on app_user for each row
  when (new.status = 'disabled' and old.status <> 'disabled') execute function drop_digest_of_disabled();
