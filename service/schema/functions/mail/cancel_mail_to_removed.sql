-- Cancels unsent mail to a user who is removed or disabled: it may wait for days and holds what they may no longer read. Before the deletion, which
-- clears mail.user_id. Mail to a hand-over address has no user. The agency's bills are mailed again (mail_lost_reader), also to the same address. In id order,
-- as rewrapping locks mail, to avoid deadlocks.
create or replace function cancel_mail_to_removed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with unsent as materialized (
    select m.id from mail m where m.status in ('queued', 'held', 'failed', 'not_configured') and (m.user_id = old.id
      or (m.partner_id = old.partner_id and m.kind in ('conversation_handed_off', 'conversation_waiting') and lower(m.to_address) = lower(old.email)))
    order by m.id for no key update
  )
  update mail m set status = 'cancelled', due_at = null, sending_since = null, body_sealed = null, body_key_id = null,
    dedupe_key = case when m.kind not in ('invoice_issued', 'credit_note_issued', 'invoice_voided', 'invoice_reminder', 'payment_past_due') then m.dedupe_key end
  from unsent u where m.id = u.id;
  -- Without its user the row of a bill that was sent looks like one to a billing address, which is mailed when the bill is void.
  if tg_op = 'DELETE' then
    update mail m set dedupe_key = null from (
      select s.id from mail s where s.user_id = old.id and (s.attachment_invoice_id is not null or s.kind = 'invoice_reminder') order by s.id for no key update) bills
    where m.id = bills.id;
  end if;
  return coalesce(new, old);
end $$;
revoke execute on function cancel_mail_to_removed from public;
create or replace trigger app_user_removed_mail before delete on app_user for each row execute function cancel_mail_to_removed();
create or replace trigger app_user_disabled_mail before update of status on app_user for each row
  when (new.status = 'disabled' and old.status <> 'disabled') execute function cancel_mail_to_removed();
