-- Lines change only while they wait or their invoice is a draft. The share lock makes a change wait for an issue in progress.
create or replace function freeze_invoice_line() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_status text;
begin
  for found_status in
    select i.status from invoice i
    where i.id in (case when tg_op <> 'INSERT' then old.invoice_id end, case when tg_op <> 'DELETE' then new.invoice_id end)
    order by i.id for share
  loop
    if found_status <> 'draft' then raise exception 'the lines of an issued or void invoice cannot be changed' using errcode = 'PB409'; end if;
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
revoke execute on function freeze_invoice_line from public;

create or replace trigger invoice_line_frozen before insert or update or delete on invoice_line for each row execute function freeze_invoice_line();
