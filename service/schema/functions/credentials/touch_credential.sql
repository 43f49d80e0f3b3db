create or replace function touch_credential() returns trigger language plpgsql as $$
begin
  -- Only a change of the value is an update; a check or a use is not.
  if (new.source_mode, new.sealed, new.key_version) is distinct from (old.source_mode, old.sealed, old.key_version) then
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end $$;

create or replace trigger credential_touch before update on credential for each row execute function touch_credential();
