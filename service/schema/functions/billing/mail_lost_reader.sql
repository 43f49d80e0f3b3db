-- An invoice, credit note or reminder whose mail was cancelled with its only readers counts as not mailed: the sweeps mail the present admins, or the first one
-- as soon as there is one. The notice that the payment is past due, or that an invoice is void, is mailed to the present admins. Jobs do it: invoices are
-- locked before the partner, which a removal holds already.
create or replace function mail_lost_reader() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.kind = 'payment_past_due' then
    perform enqueue_job('billing.notice_lost', json_build_object('partnerId', old.partner_id, 'key', old.dedupe_key));
  else
    perform enqueue_job('billing.mail_lost', json_build_object(
      'invoiceId', split_part(old.dedupe_key, ':', 2), 'reminder', nullif(split_part(old.dedupe_key, ':', 3), '')::int, 'key', old.dedupe_key));
  end if;
  return null;
end $$;
revoke execute on function mail_lost_reader from public;
create or replace trigger mail_lost_reader after update of status on mail for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled' and old.user_id is not null and old.dedupe_key is not null
    and old.kind in ('invoice_issued', 'credit_note_issued', 'invoice_voided', 'invoice_reminder', 'payment_past_due')) execute function mail_lost_reader();
