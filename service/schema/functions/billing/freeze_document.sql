-- The PDF of an invoice is stored once.
create or replace function freeze_document() returns trigger language plpgsql as $$
begin
  raise exception 'the document of an invoice cannot be changed' using errcode = 'PB409';
end $$;
revoke execute on function freeze_document from public;

create or replace trigger invoice_document_frozen before update or delete on invoice_document for each row execute function freeze_document();
