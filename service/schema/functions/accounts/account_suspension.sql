-- Returns why the account of a session is suspended, or that it is archived, as the session shows it; null while it is active. A client of a suspended agency sees
-- that and until when, but no reason and not that a bill is unpaid. Definer: a client may not read the requests of its agency.
-- current_setting('role') shows the caller's role inside a definer function too.
create or replace function account_suspension(of_partner uuid, of_client uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case
      when p.status <> 'active' then jsonb_build_object(
        'scope', 'partner',
        'cause', case when of_client is null or p.suspension_cause = 'deletion_approved' then coalesce(p.suspension_cause, 'manual') else 'manual' end,
        'reason', case when of_client is null then p.suspension_reason end,
        'since', iso_time(coalesce(p.suspended_at, p.updated_at)),
        'purgeAfter', (select iso_time(r.purge_after) from deletion_request r where r.partner_id = p.id and r.client_id is null and r.status = 'approved'),
        'reactivationPending', of_client is null
          and exists (select from reactivation_request q where q.partner_id = p.id and q.client_id is null and q.status = 'pending'))
      when c.status <> 'active' then jsonb_build_object(
        'scope', 'client',
        'cause', case when c.status = 'archived' then 'archived' else coalesce(c.suspension_cause, 'manual') end,
        'reason', c.suspension_reason,
        'since', iso_time(coalesce(c.suspended_at, c.updated_at)),
        'purgeAfter', (select iso_time(r.purge_after) from deletion_request r where r.client_id = c.id and r.status = 'approved'),
        'reactivationPending', exists (select from reactivation_request q where q.client_id = c.id and q.status = 'pending'))
    end
  from partner p left join client c on c.id = of_client and c.partner_id = p.id
  where p.id = of_partner and (current_setting('role') = 'portal_system'
    or (p.id = (select app_partner()) and ((select app_client()) is null or of_client = (select app_client()))))
$$;
revoke execute on function account_suspension from public;
grant execute on function account_suspension to portal_tenant, portal_system;
