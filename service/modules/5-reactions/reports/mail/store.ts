import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** The time zones of clients whose report someone gets. */
export async function listSubscribedZones(tx: SystemTx): Promise<string[]> {
  const rows = await runStatement<'reports_zones', { timezone: string }>(tx, {
    name: 'reports_zones',
    text: `select distinct c.timezone from client c where c.status = 'active'
      and exists (select from report_subscription s where s.client_id = c.id and s.is_subscribed)`,
  });
  return rows.map((row) => row.timezone);
}

/** A month whose report is due in a time zone: `start` and `end` are its first moment and the one behind it. */
export type DueZone = { timezone: string; month: string; dueSince: Date; start: Date; end: Date };
export type DueReport = { clientId: string; timezone: string };

/** Lists due recipients who have not got the report: subscribed when it became due, active, of an active client and agency. */
const WAITING = `report_subscription s join app_user u on u.id = s.user_id
  where s.client_id = c.id and s.is_subscribed and s.changed_at <= z.since and u.status = 'active'
    and not exists (select from report_mail m where m.client_id = c.id and m.month = z.month and m.user_id = s.user_id)`;

/**
 * Returns clients with a report to send, those of each agency in turn, so that a large one does not hold up the others. Clients without a run
 * in the month are left out. `except`: clients whose report failed in this turn.
 */
export async function listDue(tx: SystemTx, zones: readonly DueZone[], except: readonly string[], limit: number): Promise<DueReport[]> {
  return runStatement<'reports_due', DueReport>(tx, {
    name: 'reports_due',
    prepare: false,
    text: `with z as (select * from unnest($1::text[], $2::date[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[]) as t(timezone, month, since, starts, ends))
      select d.client_id, d.timezone from (
        select c.id as client_id, c.timezone, row_number() over (partition by c.partner_id order by c.id) as turn
        from z join client c on c.timezone = z.timezone join partner p on p.id = c.partner_id
        where c.status = 'active' and p.status = 'active' and c.id <> all($6::uuid[])
          and exists (select from ${WAITING})
          and exists (select from workflow_hour h
            where h.partner_id = c.partner_id and h.client_id = c.id and h.hour >= z.starts and h.hour < z.ends and h.succeeded + h.failed > 0)
      ) d order by d.turn, d.client_id limit $7`,
    values: [
      zones.map((zone) => zone.timezone),
      zones.map((zone) => `${zone.month}-01`),
      zones.map((zone) => zone.dueSince),
      zones.map((zone) => zone.start),
      zones.map((zone) => zone.end),
      except,
      limit,
    ],
  });
}

export type Reader = { userId: string; email: string; locale: string; role: string };

/** Claims the report of a month for the people who wait for it, and returns them. A row is claimed once, whichever process does. */
export async function claimReaders(
  tx: SystemTx,
  of: { clientId: string; month: string; dueSince: Date; now: Date; limit: number },
): Promise<Reader[]> {
  return runStatement<'reports_claim', Reader>(tx, {
    name: 'reports_claim',
    text: `with z as (select $2::date as month, $3::timestamptz as since), claimed as (
        insert into report_mail (client_id, month, user_id, partner_id, sent_at)
        select c.id, z.month, w.id, c.partner_id, $4::timestamptz
        from z cross join client c join partner p on p.id = c.partner_id
          cross join lateral (select u.id from ${WAITING} order by u.id limit $5) w
        where c.id = $1 and c.status = 'active' and p.status = 'active'
        on conflict do nothing returning user_id)
      select u.id as user_id, u.email, u.locale, u.role from claimed k join app_user u on u.id = k.user_id order by u.id`,
    values: [of.clientId, `${of.month}-01`, of.dueSince, of.now, of.limit],
  });
}

/** Records that a report was sent by hand. */
export async function recordSent(
  tx: Tx,
  of: { clientId: string; partnerId: string; month: string; userIds: readonly string[]; now: Date },
): Promise<void> {
  await runStatement(tx, {
    name: 'reports_record_sent',
    text: `insert into report_mail as m (client_id, month, user_id, partner_id, sent_at) select $1, $2::date, u, $3, $4 from unnest($5::uuid[]) as u
      on conflict (client_id, month, user_id) do update set times = m.times + 1, sent_at = excluded.sent_at`,
    values: [of.clientId, `${of.month}-01`, of.partnerId, of.now, of.userIds],
  });
}

/** Ends a subscription by the link in its mail. Returns whom it belonged to; undefined when that person is gone or had ended it. */
export async function endSubscription(
  tx: SystemTx,
  of: { clientId: string; userId: string; now: Date },
): Promise<{ partnerId: string; email: string; wasSubscribed: boolean } | undefined> {
  const [row] = await runStatement<'reports_end_subscription', { partnerId: string; email: string; wasSubscribed: boolean }>(tx, {
    name: 'reports_end_subscription',
    text: `with person as materialized (
        select u.id, u.email, c.id as client_id, c.partner_id, s.is_subscribed, s.changed_by
        from app_user u join client c on c.id = $1 and c.partner_id = u.partner_id left join report_subscription s on s.client_id = c.id and s.user_id = u.id
        where u.id = $2 for no key update of u
      ), ended as (
        insert into report_subscription (client_id, user_id, partner_id, is_subscribed, changed_by, changed_at)
        select p.client_id, p.id, p.partner_id, false, p.id, $3 from person p where p.is_subscribed is distinct from false or p.changed_by <> p.id
        on conflict (client_id, user_id) do update set is_subscribed = false, changed_by = excluded.changed_by, changed_at = excluded.changed_at
        returning user_id)
      select p.partner_id, p.email, coalesce(p.is_subscribed, false) as was_subscribed from person p join ended e on e.user_id = p.id`,
    values: [of.clientId, of.userId, of.now],
  });
  return row;
}
