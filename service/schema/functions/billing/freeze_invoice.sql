-- The content of an issued invoice never changes. Later only its payment, its void and its mails are recorded.
create or replace function freeze_invoice() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'invoice % is issued and cannot be deleted', old.number using errcode = 'PB409';
  end if;
  if (new.partner_id, new.kind, new.number, new.currency, new.period_start, new.period_end, new.subtotal_minor, new.tax_rate_basis_points, new.tax_note,
      new.tax_minor, new.total_minor, new.seller, new.buyer, new.issued_at, new.due_at, new.payment_instructions, new.credits_invoice_id, new.credit_reason, new.created_at)
    is distinct from
     (old.partner_id, old.kind, old.number, old.currency, old.period_start, old.period_end, old.subtotal_minor, old.tax_rate_basis_points, old.tax_note,
      old.tax_minor, old.total_minor, old.seller, old.buyer, old.issued_at, old.due_at, old.payment_instructions, old.credits_invoice_id, old.credit_reason, old.created_at) then
    raise exception 'invoice % is issued and cannot be changed', old.number using errcode = 'PB409';
  end if;
  if new.status <> old.status and not (old.status = 'issued' and old.kind = 'invoice' and new.status in ('paid', 'void')) then
    raise exception 'invoice % is % and cannot become %', old.number, old.status, new.status using errcode = 'PB409';
  end if;
  if new.status = old.status and (new.paid_at, new.paid_reference, new.voided_at, new.void_reason)
    is distinct from (old.paid_at, old.paid_reference, old.voided_at, old.void_reason) then
    raise exception 'the payment of invoice % cannot be changed', old.number using errcode = 'PB409';
  end if;
  return new;
end $$;
revoke execute on function freeze_invoice from public;

create or replace trigger invoice_frozen before update or delete on invoice for each row when (old.number is not null) execute function freeze_invoice();
