-- Empties hand-over addresses that are those of a user who is removed or disabled: visitors' texts are then mailed to the people of the inbox.
create or replace function clear_handoff_of_removed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update chatbot b set handoff_email = '', updated_at = greatest(now(), b.updated_at + interval '1 ms')
  where b.partner_id = old.partner_id and lower(b.handoff_email) = lower(old.email);
  return coalesce(new, old);
end $$;
revoke execute on function clear_handoff_of_removed from public;
create or replace trigger app_user_removed_handoff before delete on app_user for each row execute function clear_handoff_of_removed();
create or replace trigger app_user_disabled_handoff before update of status on app_user for each row
  when (new.status = 'disabled' and old.status <> 'disabled') execute function clear_handoff_of_removed();
