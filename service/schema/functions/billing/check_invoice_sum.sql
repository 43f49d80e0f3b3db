-- At the commit, the subtotal of an invoice equals the sum of its lines, all in its currency. The table checks the total.
create or replace function check_invoice_sum() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
begin
  if tg_table_name = 'invoice' then ids := array[new.id];
  elsif tg_op = 'INSERT' then ids := array[new.invoice_id];
  elsif tg_op = 'DELETE' then ids := array[old.invoice_id];
  else ids := array[old.invoice_id, new.invoice_id];
  end if;
  perform 1 from invoice i
  where i.id = any (ids) and (
    i.subtotal_minor <> (select coalesce(sum(l.amount_minor), 0) from invoice_line l where l.invoice_id = i.id)
    or exists (select 1 from invoice_line l where l.invoice_id = i.id and (l.currency <> i.currency or l.partner_id <> i.partner_id)));
  if found then raise exception 'an invoice does not equal its lines' using errcode = 'PB422'; end if;
  return null;
end $$;
revoke execute on function check_invoice_sum from public;

-- A constraint trigger cannot be replaced.
drop trigger if exists invoice_equals_lines on invoice;
create constraint trigger invoice_equals_lines after insert or update on invoice
  deferrable initially deferred for each row execute function check_invoice_sum();
drop trigger if exists invoice_line_in_sum on invoice_line;
create constraint trigger invoice_line_in_sum after insert or update or delete on invoice_line
  deferrable initially deferred for each row execute function check_invoice_sum();
