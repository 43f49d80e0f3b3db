-- Orders and adjustments are countered, never changed: only an order's status moves on, and a removed user is no longer named.
create or replace function keep_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - '{status,ordered_by,adjusted_by}'::text[] = to_jsonb(old) - '{status,ordered_by,adjusted_by}'::text[] then
    return new;
  end if;
  -- Once an account is being removed, what no invoice bills goes with it.
  if tg_op = 'DELETE' and exists (select from purge p where p.partner_id = old.partner_id and p.client_id is null and p.status <> 'completed') then
    return old;
  end if;
  raise exception 'an order is countered, never changed' using errcode = '42501';
end $$;
create or replace trigger billing_order_kept before update or delete on billing_order for each row execute function keep_order();
create or replace trigger billing_adjustment_kept before update or delete on billing_adjustment for each row execute function keep_order();
