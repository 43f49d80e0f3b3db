-- A stored file never changes.
create or replace function keep_file() returns trigger language plpgsql as $$
begin
  raise exception 'a stored file cannot be changed' using errcode = 'PB409';
end $$;
revoke execute on function keep_file from public;

create or replace trigger file_kept before update on file for each row when (old.completed_at is not null) execute function keep_file();
create or replace trigger file_chunk_kept before update on file_chunk for each row execute function keep_file();
