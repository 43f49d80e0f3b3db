-- Cancels unsent mail about an invitation whose link is no longer valid.
create or replace function cancel_mail(partner uuid, invitation uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_send_mail_for(partner) then raise exception 'mail of another agency' using errcode = '42501'; end if;
  update mail m set status = 'cancelled', due_at = null, sending_since = null, body_sealed = null, body_key_id = null
   where m.partner_id = partner and m.invitation_id = invitation and m.status in ('queued', 'held', 'failed', 'not_configured');
end $$;
revoke execute on function cancel_mail from public;
grant execute on function cancel_mail to portal_tenant, portal_system;
