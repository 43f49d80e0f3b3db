-- The seats of a partner and what uses them: members, and team and owner invitations that can be accepted at `at`. Client users use none. The only
-- place that counts them; runs with the rights of the caller.
create or replace function seats_of(partner uuid, at timestamptz)
returns table (included int, purchased int, members int, pending_invites int) language sql stable as $$
  select coalesce((s.overrides->>'includedSeats')::int, g.included_seats, 0) + coalesce(s.granted_seats, 0), coalesce(s.purchased_seats, 0),
    (select count(*)::int from app_user u where u.partner_id = p.id and u.role = 'PARTNER'),
    (select count(*)::int from invitation i where i.partner_id = p.id and i.kind in ('team', 'owner') and i.status = 'pending' and i.expires_at > seats_of.at)
  from partner p left join subscription s on s.partner_id = p.id left join plan g on g.id = s.plan_id where p.id = seats_of.partner
$$;
