-- Returns the next number of a year. Its row stays locked until the commit, so a rolled-back number is given to the next.
create or replace function next_invoice_number(of_year int) returns int language sql as $$
  insert into invoice_number (year, last) values (of_year, 1) on conflict (year) do update set last = invoice_number.last + 1 returning last
$$;
revoke execute on function next_invoice_number from public;
grant execute on function next_invoice_number to portal_system;
