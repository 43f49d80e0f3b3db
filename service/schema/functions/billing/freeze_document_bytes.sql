-- The bytes of an invoice's document stay for as long as the document.
create or replace function freeze_document_bytes() returns trigger language plpgsql as $$
begin
  if exists (select from invoice_document where file_id = old.file_id) then
    raise exception 'the document of an invoice cannot be changed' using errcode = 'PB409';
  end if;
  return old;
end $$;
revoke execute on function freeze_document_bytes from public;

create or replace trigger invoice_document_bytes_frozen before delete on file_chunk for each row execute function freeze_document_bytes();
