import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type RecipientRow = {
  userId: string;
  fullName: string;
  email: string;
  role: string;
  partnerRole: string | null;
  locale: string;
  isSubscribed: boolean;
  changedById: string | null;
  changedByName: string | null;
  changedAt: Date | null;
  lastSentMonth: string | null;
};

/** Which of the people who may get a report: these, or all, with the number at most; or those who are subscribed. */
type Whom = { ids: readonly string[] | null; most?: number } | 'subscribed';

/** Returns the active people who may get the report: those of the client's portal, then the team of its agency, each by name. */
export async function listRecipients(tx: Tx, clientId: string, whom: Whom): Promise<RecipientRow[]> {
  const { ids, most = null } = whom === 'subscribed' ? { ids: null } : whom;
  return runStatement<'reports_recipients', RecipientRow>(tx, {
    name: 'reports_recipients',
    text: `select u.id as user_id, u.full_name, u.email, u.role, u.partner_role, u.locale, coalesce(s.is_subscribed, false) as is_subscribed,
        s.changed_by as changed_by_id, coalesce(nullif(b.full_name, ''), b.email) as changed_by_name, s.changed_at,
        (select to_char(max(m.month), 'YYYY-MM') from report_mail m where m.client_id = c.id and m.user_id = u.id) as last_sent_month
      from client c join app_user u on u.partner_id = c.partner_id and (u.client_id = c.id or u.role = 'PARTNER')
        left join report_subscription s on s.client_id = c.id and s.user_id = u.id left join app_user b on b.id = s.changed_by
      where c.id = $1 and u.status = 'active' and ($2::uuid[] is null or u.id = any($2)) and (not $3::boolean or s.is_subscribed)
      order by u.role, lower(u.full_name), u.id limit $4`,
    values: [clientId, ids, whom === 'subscribed', most],
  });
}

/** Locks the choice of a person about one client's report against other changes. */
export async function lockRecipient(tx: Tx, userId: string): Promise<void> {
  await runStatement(tx, {
    name: 'reports_lock_recipient',
    text: 'select 1 as locked from app_user where id = $1 for no key update',
    values: [userId],
  });
}

export type Subscription = { partnerId: string; clientId: string; userId: string; isSubscribed: boolean; changedBy: string; now: Date };

export async function saveSubscription(tx: Tx, of: Subscription): Promise<void> {
  await runStatement(tx, {
    name: 'reports_subscribe',
    text: `insert into report_subscription (client_id, user_id, partner_id, is_subscribed, changed_by, changed_at) values ($1, $2, $3, $4, $5, $6)
      on conflict (client_id, user_id) do update set is_subscribed = excluded.is_subscribed, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
    values: [of.clientId, of.userId, of.partnerId, of.isSubscribed, of.changedBy, of.now],
  });
}
