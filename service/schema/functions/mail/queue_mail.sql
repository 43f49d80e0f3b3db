-- Enqueues one mail in the caller's transaction. Returns false when the deduplication key was mailed to this address before. A held one waits for staff.
create or replace function queue_mail(
  mail_id uuid, partner uuid, receiver uuid, invitation uuid, address text, mail_kind text, mail_subject text,
  start_status text, hold text, sealed bytea, key_id text, until_at timestamptz, once_key text,
  document uuid, document_name text, document_bytes int, about_partner uuid, about_client uuid
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_send_mail_for(partner) then raise exception 'mail of another agency' using errcode = '42501'; end if;
  if start_status not in ('queued', 'held', 'not_configured') then raise exception 'a mail begins queued, held or not_configured'; end if;
  if invitation is not null then perform cancel_mail(partner, invitation); end if;
  insert into mail (id, partner_id, user_id, invitation_id, to_address, kind, subject, status, held_for, held_names, body_sealed, body_key_id, body_until, dedupe_key, due_at,
    attachment_invoice_id, attachment_name, attachment_bytes, about_partner_id, about_client_id)
  values (mail_id, partner, receiver, invitation, address, mail_kind, mail_subject, start_status, hold, case when hold = 'name' then waiting_names(partner, about_client) end, sealed, key_id, until_at, once_key,
    case when start_status = 'queued' then now() end, document, document_name, document_bytes, about_partner, about_client)
  on conflict (partner_id, to_address, dedupe_key) where dedupe_key is not null do nothing;
  return found;
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to portal_tenant, portal_system;
