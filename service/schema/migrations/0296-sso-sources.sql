-- Until when a provider says that a session lasts; and metadata that was pasted instead of read at an address.

alter table sso_code add column session_until timestamptz(3);
comment on column sso_code.session_until is 'SessionNotOnOrAfter of the assertion';

do $$
declare
  found text;
begin
  -- It had no name of its own: the check that SAML has an address of its metadata.
  select conname into strict found from pg_constraint
  where conrelid = 'sso_connection'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%metadata_url IS NOT NULL%';
  execute format('alter table sso_connection drop constraint %I', found);
end $$;
alter table sso_connection add constraint sso_connection_saml
  check ((protocol = 'saml') = (metadata_url is not null or idp_entity_id is not null));
comment on column sso_connection.metadata_url is 'null of metadata that an admin pasted, which is not read again';
