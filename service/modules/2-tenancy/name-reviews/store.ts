import type { NameReviewStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

export type NameReviewRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  clientId: string | null;
  name: string;
  resembles: string;
  status: NameReviewStatus;
  note: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  createdAt: Date;
  /** Mails that wait for the decision. */
  waitingMails: number;
};

const COLUMNS = `n.id, n.partner_id, p.name as partner_name, n.client_id, n.name, n.resembles, n.status, n.note, n.decided_by, n.decided_at, n.created_at,
  (select count(*)::int from mail m where m.partner_id = n.partner_id and m.status = 'held' and m.held_for = 'name'
    and n.name = any(m.held_names) and (n.client_id is null or m.about_client_id = n.client_id)) as waiting_mails`;
const TABLES = 'name_review n join partner p on p.id = n.partner_id';

export type NameToReview = { clientId: string | null; name: string; resembles: string };

/** Stores names that are to be looked at; with `approvedBy` they are approved at once. A name that was decided already stays as it is. Returns those that are new. */
export async function putReviews(
  tx: Tx,
  partnerId: string,
  names: readonly NameToReview[],
  approvedBy: string | null,
): Promise<{ id: string; clientId: string | null; name: string; resembles: string }[]> {
  return runStatement<'name_reviews_put', { id: string; clientId: string | null; name: string; resembles: string }>(tx, {
    name: 'name_reviews_put',
    prepare: false,
    text: `insert into name_review as n (partner_id, client_id, name, resembles, status, decided_by, decided_at)
      select $1, x.client_id, x.name, x.resembles, case when $5::uuid is null then 'pending' else 'approved' end, $5, case when $5::uuid is null then null else now() end
      from unnest($2::uuid[], $3::text[], $4::text[]) as x(client_id, name, resembles)
      on conflict (partner_id, client_id) do update set name = excluded.name, resembles = excluded.resembles, status = excluded.status, decided_by = excluded.decided_by,
        decided_at = excluded.decided_at, note = null, created_at = now()
        where n.name <> excluded.name or (n.status <> 'approved' and excluded.status = 'approved')
      returning n.id, n.client_id, n.name, n.resembles`,
    values: [partnerId, names.map((one) => one.clientId), names.map((one) => one.name), names.map((one) => one.resembles), approvedBy],
  });
}

/** Deletes the reviews of names that were changed to others. */
export async function deleteReviews(tx: Tx, partnerId: string, clientIds: readonly (string | null)[]): Promise<void> {
  await runStatement(tx, {
    name: 'name_reviews_delete',
    prepare: false,
    text: `delete from name_review n using unnest($2::uuid[]) as x(client_id) where n.partner_id = $1 and n.client_id is not distinct from x.client_id`,
    values: [partnerId, clientIds],
  });
}

export type NameReviewFilters = { status?: NameReviewStatus | undefined };

/** Returns one page, newest first. */
export async function listReviews(
  tx: SystemTx,
  filters: NameReviewFilters,
  before: string | null,
  limit: number,
): Promise<NameReviewRow[]> {
  return runStatement<'name_reviews_list', NameReviewRow>(tx, {
    name: 'name_reviews_list',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES} where ($1::text is null or n.status = $1) and ($2::uuid is null or n.id < $2) order by n.id desc limit $3`,
    values: [filters.status ?? null, before, limit],
  });
}

export async function findReview(tx: SystemTx, id: string): Promise<NameReviewRow | undefined> {
  const [row] = await runStatement<'name_reviews_find', NameReviewRow>(tx, {
    name: 'name_reviews_find',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES} where n.id = $1`,
    values: [id],
  });
  return row;
}

/** Writes a decision; false when it has been made already or the name changed meanwhile. */
export async function decideReview(
  tx: SystemTx,
  decision: { id: string; name: string; status: 'approved' | 'rejected'; note: string | null; by: string; at: Date },
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'name_reviews_decide',
    prepare: false,
    text: `update name_review set status = $3, note = $4, decided_by = $5, decided_at = $6 where id = $1 and name = $2 and status <> $3 returning id`,
    values: [decision.id, decision.name, decision.status, decision.note, decision.by, decision.at],
  });
  return rows.length === 1;
}

/** Returns the version of the rule that all saved names were compared with. */
export async function readRuleVersion(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'name_reviews_rule', { version: number }>(tx, {
    name: 'name_reviews_rule',
    text: 'select version from name_rule',
  });
  return row?.version ?? 0;
}

export async function writeRuleVersion(tx: SystemTx, version: number): Promise<void> {
  await runStatement(tx, {
    name: 'name_reviews_write_rule',
    prepare: false,
    text: 'update name_rule set version = $1 where version < $1',
    values: [version],
  });
}

export type SavedName = { partnerId: string; clientId: string | null; name: string };

/** Lists names of clients, or of agencies, in the order of their ids. */
export async function listNames(
  tx: SystemTx,
  kind: 'client' | 'partner',
  afterId: string | null,
  limit: number,
): Promise<(SavedName & { id: string })[]> {
  return runStatement<'name_reviews_list_names', SavedName & { id: string }>(tx, {
    name: 'name_reviews_list_names',
    prepare: false,
    text: `select id, partner_id, client_id, name from (
        select c.id, c.partner_id, c.id as client_id, c.name from client c where $1 = 'client' and c.status <> 'deleted'
        union all select p.id, p.id, null::uuid, p.name from partner p where $1 = 'partner' and p.status <> 'deleted' and not p.is_house
      ) n where $2::uuid is null or n.id > $2 order by n.id limit $3`,
    values: [kind, afterId, limit],
  });
}
