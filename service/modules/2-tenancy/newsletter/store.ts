import type { SubscriberStatus } from '@partner-portal/contract/vocabulary.ts';
import { literalPattern } from '#platform/db/like.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

export type NewRequest = { email: string; source: string; textVersion: number; at: Date };

/**
 * Stores a request, or returns the subscriber who has the address. A request that is still pending is replaced by the newer one, with the
 * sentence it agreed to; a confirmed one stays as it is.
 */
export async function putRequest(tx: SystemTx, request: NewRequest): Promise<{ id: string; isConfirmed: boolean; housePartnerId: string }> {
  const [row] = await runStatement<'newsletter_put_request', { id: string; isConfirmed: boolean; housePartnerId: string }>(tx, {
    name: 'newsletter_put_request',
    text: `insert into newsletter_subscriber as s (email, email_hash, source, text_version, requested_at) values ($1, sha256(convert_to($1, 'UTF8')), $2, $3, $4)
      on conflict (email) where email is not null do update set
        source = case when s.confirmed_at is null then excluded.source else s.source end,
        text_version = case when s.confirmed_at is null then excluded.text_version else s.text_version end,
        requested_at = case when s.confirmed_at is null then excluded.requested_at else s.requested_at end
      returning s.id, s.confirmed_at is not null as is_confirmed, (select h.id from partner h where h.is_house) as house_partner_id`,
    values: [request.email, request.source, request.textVersion, request.at],
  });
  if (!row) throw new Error('The database returned no row.');
  return row;
}

/** Confirms a request that is not yet confirmed; undefined for any other id. */
export async function confirm(tx: SystemTx, id: string, at: Date): Promise<{ email: string; housePartnerId: string } | undefined> {
  const [row] = await runStatement<'newsletter_confirm', { email: string; housePartnerId: string }>(tx, {
    name: 'newsletter_confirm',
    text: `update newsletter_subscriber s set confirmed_at = $2 where s.id = $1 and s.confirmed_at is null and s.email is not null
      returning s.email, (select h.id from partner h where h.is_house) as house_partner_id`,
    values: [id, at],
  });
  return row;
}

/** Ends a subscription and erases its address; undefined for one that ended before or never was. */
export async function unsubscribe(tx: SystemTx, id: string, at: Date): Promise<{ housePartnerId: string } | undefined> {
  const [row] = await runStatement<'newsletter_unsubscribe', { housePartnerId: string }>(tx, {
    name: 'newsletter_unsubscribe',
    text: `update newsletter_subscriber s set unsubscribed_at = $2, email = null where s.id = $1 and s.email is not null
      returning (select h.id from partner h where h.is_house) as house_partner_id`,
    values: [id, at],
  });
  return row;
}

export type SubscriberRow = {
  id: string;
  email: string | null;
  status: SubscriberStatus;
  source: string;
  textVersion: number;
  requestedAt: Date;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
};

const STATUS = `case when s.unsubscribed_at is not null then 'unsubscribed' when s.confirmed_at is not null then 'confirmed' else 'pending' end`;
const COLUMNS = `s.id, s.email, ${STATUS} as status, s.source, s.text_version, s.requested_at, s.confirmed_at, s.unsubscribed_at`;

export async function findSubscriber(tx: SystemTx, id: string): Promise<SubscriberRow | undefined> {
  const [row] = await runStatement<'newsletter_find', SubscriberRow>(tx, {
    name: 'newsletter_find',
    text: `select ${COLUMNS} from newsletter_subscriber s where s.id = $1`,
    values: [id],
  });
  return row;
}

export type SubscriberFilters = { q?: string | undefined; status?: SubscriberStatus | undefined };

/** One page, newest first. */
export async function listSubscribers(
  tx: SystemTx,
  filters: SubscriberFilters,
  before: string | null,
  limit: number,
): Promise<SubscriberRow[]> {
  return runStatement<'newsletter_list', SubscriberRow>(tx, {
    name: 'newsletter_list',
    prepare: false,
    text: `select ${COLUMNS} from newsletter_subscriber s
      where ($1::text is null or s.email like '%' || $1 || '%') and ($2::text is null or ${STATUS} = $2) and ($3::uuid is null or s.id < $3)
      order by s.id desc limit $4`,
    values: [filters.q ? literalPattern(filters.q.toLowerCase()) : null, filters.status ?? null, before, limit],
  });
}

/** Deletes requests that were not confirmed and subscriptions that ended, both before a time. */
export async function deleteOld(tx: SystemTx, before: { pending: Date; left: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'newsletter_delete_pending',
    text: 'delete from newsletter_subscriber where confirmed_at is null and unsubscribed_at is null and requested_at < $1',
    values: [before.pending],
  });
  await runStatement(tx, {
    name: 'newsletter_delete_left',
    text: 'delete from newsletter_subscriber where unsubscribed_at < $1',
    values: [before.left],
  });
}
