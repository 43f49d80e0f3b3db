import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

const PEOPLE_MAX = 200;

export type AffectedPerson = {
  kind: 'member' | 'invited';
  id: string;
  fullName: string | null;
  email: string;
  reason: 'outside_domains' | 'not_logged_in';
};

/**
 * Returns the people of a team who could not, or may not be able to, log in once single sign-on is enforced: addresses outside the domains first,
 * then members who have not logged in through the connection as it is.
 */
export async function listAffected(tx: TenantTx, partnerId: string): Promise<AffectedPerson[]> {
  return runStatement<'sso_affected', AffectedPerson>(tx, {
    name: 'sso_affected',
    prepare: false,
    text: `with c as (select email_domains, configured_at from sso_connection where partner_id = $1), people as (
        select 'member' as kind, u.id, u.full_name, u.email, not (split_part(u.email, '@', 2) = any (c.email_domains)) as is_outside
        from app_user u, c
        where u.partner_id = $1 and u.role = 'PARTNER' and u.status = 'active'
          and (not (split_part(u.email, '@', 2) = any (c.email_domains)) or u.last_sso_login_at is null or u.last_sso_login_at < c.configured_at)
        union all
        select 'invited', i.id, i.full_name, i.email, true from invitation i, c
        where i.partner_id = $1 and i.kind <> 'client_user' and i.status = 'pending' and i.expires_at > now()
          and not (split_part(i.email, '@', 2) = any (c.email_domains)))
      select kind, id, full_name, email, case when is_outside then 'outside_domains' else 'not_logged_in' end as reason
      from people order by is_outside desc, email limit $2`,
    values: [partnerId, PEOPLE_MAX],
  });
}
