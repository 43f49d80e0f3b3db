-- Nothing is written about an account behind its purge: a worker that held something of it in memory, or a call with a token of it, may still try.
-- Such a row is left out without an error, except the line that says the account is gone. Tables whose rows refer to something of the account,
-- such as a workflow or a user, need no check: that is gone.
create or replace function skip_rows_of_deleted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from partner p where p.id = new.partner_id and p.status = 'deleted')
    or (new.client_id is not null and exists (select from client c where c.id = new.client_id and c.status = 'deleted'))
  then
    return null;
  end if;
  return new;
end $$;
revoke execute on function skip_rows_of_deleted from public;

create or replace trigger audit_entry_of_deleted before insert on audit_entry for each row when (new.action <> 'account.purged') execute function skip_rows_of_deleted();
create or replace trigger event_of_deleted before insert on event for each row execute function skip_rows_of_deleted();
create or replace trigger file_of_deleted before insert on file for each row execute function skip_rows_of_deleted();
create or replace trigger alert_of_deleted before insert on alert for each row execute function skip_rows_of_deleted();

-- Notifications and mail also name accounts that are not their recipient's.
create or replace function skip_messages_about_deleted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from partner p where p.id in (new.partner_id, new.about_partner_id) and p.status = 'deleted')
    or (new.about_client_id is not null and exists (select from client c where c.id = new.about_client_id and c.status = 'deleted'))
  then
    return null;
  end if;
  return new;
end $$;
revoke execute on function skip_messages_about_deleted from public;

create or replace trigger notification_of_deleted before insert on notification for each row execute function skip_messages_about_deleted();
create or replace trigger mail_of_deleted before insert on mail for each row execute function skip_messages_about_deleted();
