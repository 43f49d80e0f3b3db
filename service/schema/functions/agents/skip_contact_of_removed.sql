-- An execution may report after its agent was deleted; its contact is then not stored.
create or replace function skip_contact_of_removed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return case when exists (select 1 from workflow w where w.id = new.workflow_id) then new end;
end $$;
revoke execute on function skip_contact_of_removed from public;

create or replace trigger workflow_contact_of_removed before insert on workflow_contact for each row execute function skip_contact_of_removed();
