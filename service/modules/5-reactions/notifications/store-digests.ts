import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { LOCK_OLDEST_FIRST } from './store.ts';

/** Time zones of users with notifications pending for a digest. */
export async function listPendingZones(tx: SystemTx): Promise<string[]> {
  const rows = await runStatement<'digests_zones', { timezone: string }>(tx, {
    name: 'digests_zones',
    text: `select distinct u.timezone from notification n join app_user u on u.id = n.user_id where n.mail = 'daily' and n.digested_at is null and u.status = 'active'`,
  });
  return rows.map((row) => row.timezone);
}

export type DueDigest = { userId: string; day: string };

/** Users with pending notifications whose morning has started and who had no digest on that day. */
export async function listDueDigests(tx: SystemTx, mornings: { zones: string[]; days: string[] }, limit: number): Promise<DueDigest[]> {
  return runStatement<'digests_due', DueDigest>(tx, {
    name: 'digests_due',
    text: `select distinct n.user_id, z.day::text as day
      from notification n join app_user u on u.id = n.user_id join unnest($1::text[], $2::date[]) as z(zone, day) on z.zone = u.timezone
      where n.mail = 'daily' and n.digested_at is null and u.status = 'active'
        and not exists (select from notification_digest d where d.user_id = n.user_id and d.day = z.day) limit $3`,
    values: [mornings.zones, mornings.days, limit],
  });
}

export type Reader = { id: string; partnerId: string; email: string; role: 'ADMIN' | 'PARTNER' | 'CLIENT' };

/** Claims a user's digest of a day; undefined when it was claimed already. */
export async function claimDigest(tx: SystemTx, { userId, day }: DueDigest): Promise<Reader | undefined> {
  const [row] = await runStatement<'digests_take', Reader>(tx, {
    name: 'digests_take',
    text: `with taken as (
        insert into notification_digest (user_id, day, partner_id, items) select u.id, $2, u.partner_id, 0 from app_user u where u.id = $1 and u.status = 'active'
        on conflict do nothing returning user_id)
      select u.id, u.partner_id, u.email, u.role from app_user u join taken t on t.user_id = u.id`,
    values: [userId, day],
  });
  return row;
}

export type PendingItem = { title: string; body: string; href: string; at: Date; wasRead: boolean };

/** Takes the user's pending notifications, newest first, and marks them as digested. */
export async function takePending(tx: SystemTx, userId: string): Promise<PendingItem[]> {
  return runStatement<'digests_items', PendingItem>(tx, {
    name: 'digests_items',
    text: `with held as materialized (select id from notification where user_id = $1 and mail = 'daily' and digested_at is null ${LOCK_OLDEST_FIRST}), taken as (
        update notification n set digested_at = now() from held h where n.id = h.id returning n.id, n.title, n.body, n.href, n.created_at, n.read_at)
      select title, body, href, created_at as at, read_at is not null as was_read from taken order by id desc`,
    values: [userId],
  });
}

/** Stores the number of items. An empty digest is deleted, so that one can still be sent that day. */
export async function settleDigest(tx: SystemTx, { userId, day }: DueDigest, items: number): Promise<void> {
  await runStatement<'digests_take_back' | 'digests_settle'>(tx, {
    name: items === 0 ? 'digests_take_back' : 'digests_settle',
    text:
      items === 0
        ? 'delete from notification_digest where user_id = $1 and day = $2 and $3 = 0'
        : 'update notification_digest set items = $3 where user_id = $1 and day = $2',
    values: [userId, day, items],
  });
}

/** Deletes a batch of notifications older than `days`; returns how many. */
export async function deleteOld(tx: SystemTx, days: number, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'notifications_forget',
    text: `delete from notification where id in (select n.id from notification n where n.created_at < now() - make_interval(days => $1) order by n.created_at limit $2) returning 1`,
    values: [days, batch],
  });
  return rows.length;
}

export async function deleteOldDigests(tx: SystemTx, days: number): Promise<void> {
  await runStatement(tx, {
    name: 'digests_forget',
    text: 'delete from notification_digest where created_at < now() - make_interval(days => $1)',
    values: [days],
  });
}
