-- Purchases of an order are usable in its own transaction: seats at once, credits with the entry of the ledger, which has the order's id.
create or replace function apply_order() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind = 'seats' then
    -- They come on top of what there is: after a change of terms later ones cover as many fewer of them.
    update subscription s set purchased_seats = s.purchased_seats + new.quantity,
      purchased_beyond = case when s.purchased_beyond is not null then greatest(least(s.purchased_beyond, t.included), t.included - s.purchased_seats) end
    from (select n.partner_id, coalesce((n.overrides->>'includedSeats')::int, g.included_seats) as included
      from subscription n join plan g on g.id = n.plan_id where n.partner_id = new.partner_id) t
    where s.partner_id = t.partner_id;
  else
    update partner_quota q set purchased_credits = q.purchased_credits + new.credits where q.partner_id = new.partner_id;
    insert into usage_entry (id, kind, partner_id, credits, note, at)
    values (new.id, 'purchase', new.partner_id, new.credits,
      new.quantity || ' × ' || to_char(new.credits / new.quantity, 'FM999,999,999,999') || ' credits', new.created_at);
  end if;
  return null;
end $$;
revoke execute on function apply_order from public;
create or replace trigger billing_order_applies after insert on billing_order for each row execute function apply_order();

-- The same for what staff add or take.
create or replace function apply_adjustment() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.seats is not null then
    update subscription s set granted_seats = s.granted_seats + new.seats where s.partner_id = new.partner_id;
  else
    update partner_quota q set purchased_credits = q.purchased_credits + new.credits where q.partner_id = new.partner_id;
    insert into usage_entry (id, kind, partner_id, credits, note, at)
    values (new.id, 'adjustment', new.partner_id, new.credits, new.note, new.created_at);
  end if;
  return null;
end $$;
revoke execute on function apply_adjustment from public;
create or replace trigger billing_adjustment_applies after insert on billing_adjustment for each row execute function apply_adjustment();
