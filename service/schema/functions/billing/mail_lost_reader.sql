-- An invoice, credit note or reminder whose mail was cancelled with its only readers counts as not mailed: the sweeps mail the present admins, or the first one
-- as soon as there is one. Instead of the notice that the payment is past due, its invoices are reminded of.
create or replace function mail_lost_reader() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from mail m where m.partner_id = old.partner_id and m.dedupe_key = old.dedupe_key and m.status <> 'cancelled' and m.id <> old.id) then
    return null;
  elsif old.kind in ('invoice_issued', 'credit_note_issued') then
    update invoice i set mailed_at = null where i.id = old.attachment_invoice_id and i.status in ('issued', 'paid');
  elsif old.kind = 'invoice_reminder' then
    update invoice i set reminders_sent = split_part(old.dedupe_key, ':', 3)::int - 1
    where i.partner_id = old.partner_id and i.id::text = split_part(old.dedupe_key, ':', 2) and i.status = 'issued' and i.reminders_sent = split_part(old.dedupe_key, ':', 3)::int;
  else
    update invoice i set reminders_sent = i.reminders_sent - 1 where i.partner_id = old.partner_id and i.status = 'issued' and i.reminders_sent > 0
      and exists (select from subscription s where s.partner_id = i.partner_id and s.status = 'past_due');
  end if;
  return null;
end $$;
revoke execute on function mail_lost_reader from public;
create or replace trigger mail_lost_reader after update of status on mail for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled' and old.user_id is not null and old.dedupe_key is not null
    and old.kind in ('invoice_issued', 'credit_note_issued', 'invoice_reminder', 'payment_past_due')) execute function mail_lost_reader();
