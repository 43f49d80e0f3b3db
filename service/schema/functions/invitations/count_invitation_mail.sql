-- Returns how many invitation mails a partner caused within the last hour and day, the oldest of each, and whether it is on a trial. Locks the
-- partner first and counts with a snapshot taken afterwards: concurrent invitations count each other.
create or replace function count_invitation_mail(
  partner uuid, out in_hour int, out in_day int, out hour_since timestamptz, out day_since timestamptz, out is_trial boolean
)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_send_mail_for(partner) then raise exception 'mail of another agency' using errcode = '42501'; end if;
  perform from partner p where p.id = count_invitation_mail.partner for no key update;
  select count(*) filter (where m.created_at > now() - interval '1 hour'), count(*),
      min(m.created_at) filter (where m.created_at > now() - interval '1 hour'), min(m.created_at)
    into in_hour, in_day, hour_since, day_since
    -- The id only narrows the scan: its time is that of the process that wrote the mail.
    from mail m where m.partner_id = count_invitation_mail.partner and m.kind = 'invitation' and m.id >= uuid_floor(now() - interval '26 hours')
      and m.created_at > now() - interval '1 day';
  is_trial := exists (select from subscription s where s.partner_id = count_invitation_mail.partner and s.status = 'trialing');
end $$;
revoke execute on function count_invitation_mail from public;
grant execute on function count_invitation_mail to portal_tenant, portal_system;
