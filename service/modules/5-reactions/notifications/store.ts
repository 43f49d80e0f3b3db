import type { EmailPace, Locale, NotificationTone, NotificationType, Role } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** Title and body by language; English where a language is missing. */
export type NotificationTexts = { [Language in Locale]?: { title: string; body: string } };

/** One notification as `addNotifications` reads it. */
export type NotificationInput = {
  n: number;
  partner: string;
  client: string | null;
  audience: string | null;
  users: readonly string[];
  except: string | null;
  type: string;
  tone: string;
  texts: NotificationTexts;
  href: string;
  subject: string;
  key: string;
  mailTo: string;
  email: string;
};
export type Notified = { n: number; userId: string; userPartnerId: string; email: string; mail: EmailPace; title: string; body: string };

/** Adds one row per recipient and new `key`, by their preferences; none for a recipient who wants neither bell nor mail. */
export async function addNotifications(tx: Tx, items: readonly NotificationInput[]): Promise<Notified[]> {
  if (items.length === 0) return [];
  return runStatement<'notifications_add', Notified>(tx, {
    name: 'notifications_add',
    text: `with input as materialized (
        select * from jsonb_to_recordset($1::jsonb) as t(n int, partner uuid, client uuid, audience text, users uuid[], "except" uuid, type text, tone text,
          texts jsonb, href text, subject text, key text, "mailTo" text, email text)
      ), person as (
        select t.n, u.id from input t cross join lateral unnest(t.users) as x(id) join app_user u on u.id = x.id
        union select t.n, u.id from input t join app_user u on u.partner_id = t.partner and u.role = 'PARTNER'
          where t.audience = 'team' or (t.audience = 'admins' and u.partner_role = 'admin')
        union select t.n, u.id from input t join app_user u on u.client_id = t.client and u.partner_id = t.partner where t.audience = 'client'
        union select t.n, u.id from input t join app_user u on u.partner_id = (select h.id from partner h where h.is_house) and u.role = 'ADMIN' where t.audience = 'staff'
      ), recipient as materialized (
        select t.*, u.id as user_id, u.partner_id as user_partner_id, u.client_id as user_client_id, u.email as address, coalesce(c.in_app, true) as listed,
          coalesce(case when u.role = 'CLIENT' then t.texts -> lower(split_part(u.locale, '-', 1)) end, t.texts -> 'en') as words,
          case when t."mailTo" = 'at_once' then 'now' when t."mailTo" = 'all' or (t."mailTo" = 'all_but_admins' and u.partner_role is distinct from 'admin')
              or (t."mailTo" like 'recipients%' and (exists (select from alert_recipient r where r.partner_id = t.partner and r.user_id = u.id)
                or (u.partner_role = 'admin' and (t."mailTo" = 'recipients_and_admins' or not exists (
                  select from alert_recipient r join app_user y on y.id = r.user_id and y.status = 'active' where r.partner_id = t.partner)))))
            then coalesce(c.email, t.email) else 'off' end as pace
        from person x join input t on t.n = x.n join app_user u on u.id = x.id and u.status = 'active'
        left join notification_preference c on c.user_id = u.id and c.type = t.type
        where u.id is distinct from t."except"
      ), added as (
        insert into notification (partner_id, client_id, about_partner_id, about_client_id, user_id, type, tone, title, body, href, subject, dedupe_key, is_listed, mail)
        select user_partner_id, user_client_id, partner, client, user_id, type, tone, words ->> 'title', words ->> 'body', href, subject, key, listed, pace from recipient
        where listed or pace <> 'off' order by user_id, key, n
        on conflict (user_id, dedupe_key) do nothing returning user_id, dedupe_key, mail)
      select distinct on (a.user_id, a.dedupe_key) t.n, a.user_id, t.user_partner_id, t.address as email, a.mail, t.words ->> 'title' as title, t.words ->> 'body' as body
      from added a join recipient t on t.user_id = a.user_id and t.key = a.dedupe_key order by a.user_id, a.dedupe_key, t.n`,
    values: [JSON.stringify(items)],
  });
}

/**
 * Deletes notifications of the alerts that failed attempts opened: their requests notify of the same with the agent and its client, except a user who
 * wants no notification of requests. Mail that was queued for an alert stays, and its reader gets no second one.
 */
export async function dropAlertsOf(tx: SystemTx, attempts: readonly { partnerId: string; dedupeKey: string; at: Date }[]): Promise<void> {
  await runStatement(tx, {
    name: 'notifications_drop_alerts',
    prepare: false,
    text: `delete from notification where id in (
        select n.id from notification n join unnest($1::uuid[], $2::text[], $3::timestamptz[]) as a(partner_id, key, at)
          on n.about_partner_id = a.partner_id and n.dedupe_key = a.key and n.id >= uuid_floor(a.at - interval '1 day')
        where n.type = 'alert_opened' and not exists (
          select from notification_preference c where c.user_id = n.user_id and c.type = 'agent_request_failed' and not c.in_app and c.email = 'off')
        order by n.id for no key update of n)`,
    values: [attempts.map(({ partnerId }) => partnerId), attempts.map(({ dedupeKey }) => dedupeKey), attempts.map(({ at }) => at)],
  });
}

/** Returns the clients among these whose approved deletion their own users requested. */
export async function listDeletedOnRequest(tx: SystemTx, clientIds: readonly string[]): Promise<string[]> {
  if (clientIds.length === 0) return [];
  const rows = await runStatement<'notifications_deleted_on_request', { clientId: string }>(tx, {
    name: 'notifications_deleted_on_request',
    text: "select client_id from deletion_request where client_id = any($1) and status = 'approved' and requester_role = 'CLIENT'",
    values: [clientIds],
  });
  return rows.map((row) => row.clientId);
}

/** Returns the time zone of each of these agencies. */
export async function listZones(tx: Tx, partnerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (partnerIds.length === 0) return new Map();
  const rows = await runStatement<'notifications_zones', { id: string; timezone: string }>(tx, {
    name: 'notifications_zones',
    text: 'select id, timezone from partner where id = any($1)',
    values: [partnerIds],
  });
  return new Map(rows.map(({ id, timezone }) => [id, timezone]));
}

export type NotificationRow = {
  id: string;
  userId: string;
  type: NotificationType;
  tone: NotificationTone;
  title: string;
  body: string;
  href: string;
  subject: string;
  readAt: Date | null;
  createdAt: Date;
};
const COLUMNS = 'n.id, n.user_id, n.type, n.tone, n.title, n.body, n.href, n.subject, n.read_at, n.created_at';

/** One page of a user's notifications, newest first. */
export async function listNotifications(
  tx: Tx,
  userId: string,
  page: { unread: boolean; before: string | null; limit: number },
): Promise<NotificationRow[]> {
  return runStatement<'notifications_list', NotificationRow>(tx, {
    name: 'notifications_list',
    text: `select ${COLUMNS} from notification n
      where n.user_id = $1 and n.is_listed and (not $2 or n.read_at is null) and ($3::uuid is null or n.id < $3) order by n.id desc limit $4`,
    values: [userId, page.unread, page.before, page.limit],
  });
}

/** Notifications since a time, oldest first: what a resumed stream missed. */
export async function listSince(tx: Tx, userId: string, since: Date, limit: number): Promise<NotificationRow[]> {
  const rows = await runStatement<'notifications_since', NotificationRow>(tx, {
    name: 'notifications_since',
    text: `select ${COLUMNS} from notification n where n.user_id = $1 and n.is_listed and n.id > uuid_floor($2) order by n.id desc limit $3`,
    values: [userId, since, limit],
  });
  return rows.toReversed();
}

export async function countUnread(tx: Tx, userId: string): Promise<number> {
  const [row] = await runStatement<'notifications_unread', { unread: number }>(tx, {
    name: 'notifications_unread',
    text: 'select count(*)::int as unread from notification where user_id = $1 and is_listed and read_at is null',
    values: [userId],
  });
  return row?.unread ?? 0;
}

/** False when it is not this user's. A second call keeps the first read time. */
export async function markRead(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'notifications_read',
    text: 'update notification set read_at = coalesce(read_at, now()) where id = $2 and user_id = $1 and is_listed returning id',
    values: [userId, id],
  });
  return rows.length > 0;
}

/** Lock order for several rows of one user: marking all as read can run concurrently with the user's digest. */
export const LOCK_OLDEST_FIRST = 'order by id for no key update';

export async function markAllRead(tx: Tx, userId: string): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'notifications_read_all',
    text: `with held as materialized (select id from notification where user_id = $1 and is_listed and read_at is null ${LOCK_OLDEST_FIRST})
      update notification n set read_at = now() from held h where n.id = h.id returning n.id`,
    values: [userId],
  });
  return rows.length;
}

export type EndedWait = {
  partnerId: string;
  subject: string;
  since: string;
  until: string;
  ofClient: NotificationTexts;
  ofTeam: { title: string; body: string };
};

/** Rewrites the notifications of a visitor's wait that has ended, and marks them as read. Returns whose they were. */
export async function settleWaits(tx: SystemTx, { partnerId, subject, since, until, ofClient, ofTeam }: EndedWait): Promise<string[]> {
  const rows = await runStatement<'notifications_settle_waits', { userId: string }>(tx, {
    name: 'notifications_settle_waits',
    text: `with held as materialized (
        select n.id, case when u.role = 'CLIENT' then coalesce($5::jsonb -> lower(split_part(u.locale, '-', 1)), $5::jsonb -> 'en') else $6::jsonb end as words
        from notification n join app_user u on u.id = n.user_id
        where n.partner_id = $1 and n.id >= uuid_floor($3::timestamptz - interval '1 minute') and n.created_at <= $4::timestamptz
          and n.subject = $2 and n.type = 'conversation_handed_off' and n.tone = 'warn' order by n.id for no key update of n)
      update notification n set tone = 'ok', title = h.words ->> 'title', body = h.words ->> 'body', read_at = coalesce(n.read_at, now()),
        mail = case when n.mail = 'daily' and n.digested_at is null then 'off' else n.mail end
      from held h where n.id = h.id returning n.user_id`,
    values: [partnerId, subject, since, until, JSON.stringify(ofClient), JSON.stringify(ofTeam)],
  });
  return rows.map(({ userId }) => userId);
}

/** A request about an account that waits no longer. `keys`: prefixes of the deduplication keys of its notifications. */
export type SettledRequest = { partnerId: string; clientId: string | null; keys: readonly string[]; body: string };

/** Marks the notifications of a request that ended as read, says so in them, and leaves them out of the next digest. Returns whose they were. */
export async function settleRequest(tx: SystemTx, { partnerId, clientId, keys, body }: SettledRequest): Promise<string[]> {
  const rows = await runStatement<'notifications_settle_request', { userId: string }>(tx, {
    name: 'notifications_settle_request',
    text: `with held as materialized (
        select n.id from notification n where n.about_partner_id = $1 and n.about_client_id is not distinct from $2::uuid and n.type = 'account_request'
          and n.dedupe_key ^@ any ($3::text[]) order by n.id for no key update)
      update notification n set body = $4, read_at = coalesce(n.read_at, now()),
        mail = case when n.mail = 'daily' and n.digested_at is null then 'off' else n.mail end
      from held h where n.id = h.id returning n.user_id`,
    values: [partnerId, clientId, keys, body],
  });
  return rows.map(({ userId }) => userId);
}

/** Returns the keys of what a user was notified of by these types and mailed at once within the days that such mail may wait. */
export async function listMailedKeys(tx: SystemTx, userId: string, types: readonly string[], days: number): Promise<string[]> {
  const rows = await runStatement<'notifications_mailed_keys', { key: string }>(tx, {
    name: 'notifications_mailed_keys',
    prepare: false,
    text: `select n.dedupe_key as key from notification n
      where n.user_id = $1 and n.type = any($2::text[]) and n.mail = 'now' and n.created_at > now() - make_interval(days => $3)`,
    values: [userId, types, days],
  });
  return rows.map(({ key }) => key);
}

export type MailedUser = { id: string; partnerId: string; clientId: string | null; email: string; role: Role };

/** Returns a user that a link in a mail names, and locks the row: of two clicks at once the second finds what the first did. */
export async function lockMailedUser(tx: SystemTx, userId: string): Promise<MailedUser | undefined> {
  const [row] = await runStatement<'notifications_mailed_user', MailedUser>(tx, {
    name: 'notifications_mailed_user',
    text: 'select id, partner_id, client_id, email, role from app_user where id = $1 for no key update',
    values: [userId],
  });
  return row;
}

export type Choice = { type: string; inApp: boolean; email: EmailPace };

export async function listChoices(tx: Tx, userId: string): Promise<Choice[]> {
  return runStatement<'notifications_choices', Choice>(tx, {
    name: 'notifications_choices',
    text: 'select type, in_app, email from notification_preference where user_id = $1',
    values: [userId],
  });
}

/** Writes preferences. Drops what is pending for the digest where mail was switched off. */
export async function saveChoices(
  tx: Tx,
  owner: { userId: string; partnerId: string; clientId: string | null },
  choices: readonly Choice[],
): Promise<void> {
  await runStatement(tx, {
    name: 'notifications_save_choices',
    text: `insert into notification_preference (user_id, partner_id, client_id, type, in_app, email)
      select $1, $2, $3, c.type, c.in_app, c.email from unnest($4::text[], $5::boolean[], $6::text[]) as c(type, in_app, email)
      on conflict (user_id, type) do update set in_app = excluded.in_app, email = excluded.email`,
    values: [
      owner.userId,
      owner.partnerId,
      owner.clientId,
      choices.map(({ type }) => type),
      choices.map(({ inApp }) => inApp),
      choices.map(({ email }) => email),
    ],
  });
  const silenced = choices.filter(({ email }) => email === 'off').map(({ type }) => type);
  if (silenced.length > 0)
    await runStatement(tx, {
      name: 'notifications_drop_pending',
      text: `with held as materialized (select id from notification where user_id = $1 and mail = 'daily' and digested_at is null and type = any($2) ${LOCK_OLDEST_FIRST})
        update notification n set mail = 'off' from held h where n.id = h.id`,
      values: [owner.userId, silenced],
    });
}
