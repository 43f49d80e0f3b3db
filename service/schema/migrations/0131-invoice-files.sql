-- The documents of invoices are files, as exports and media.
alter table invoice_document disable trigger user;
alter table invoice_document add file_id uuid;
update invoice_document set file_id = uuidv7();
insert into file (id, partner_id, purpose, content_type, chunk_bytes, size_bytes, sha256, completed_at, created_at)
  select file_id, partner_id, 'invoice', 'application/pdf', 262144, octet_length(content), sha256, created_at, created_at from invoice_document;
insert into file_chunk (file_id, n, partner_id, content)
  select d.file_id, n, d.partner_id, substring(d.content from n * 262144 + 1 for 262144)
  from invoice_document d cross join lateral generate_series(0, (octet_length(d.content) - 1) / 262144) n
  where octet_length(d.content) > 0;
alter table invoice_document
  alter file_id set not null,
  add unique (file_id),
  add foreign key (file_id) references file,
  drop column content,
  drop column sha256;
alter table invoice_document enable trigger user;
