import type { FilteredTable } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

type Search = Record<string, string | number | boolean | string[]>;
export type NewFilter = { id: string; table: FilteredTable; name: string; search: Search };
export type FilterRow = NewFilter & { createdAt: Date };

const COLUMNS = 'id, list as "table", name, search, created_at';

/** Every statement names the user: the rows of a partner's other users are not theirs. */
export async function listFilters(tx: Tx, userId: string, table: FilteredTable): Promise<FilterRow[]> {
  return runStatement<'saved_filter_list', FilterRow>(tx, {
    name: 'saved_filter_list',
    text: `select ${COLUMNS} from saved_filter where user_id = $1 and list = $2 order by lower(name)`,
    values: [userId, table],
  });
}

export async function lockOwner(tx: Tx, userId: string): Promise<void> {
  await runStatement(tx, {
    name: 'saved_filter_lock',
    text: `select pg_advisory_xact_lock(hashtextextended('saved_filter:' || $1::uuid::text, 0))`,
    values: [userId],
  });
}

/** Whether another filter of this table has the name. */
export async function hasName(tx: Tx, userId: string, { id, table, name }: NewFilter): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'saved_filter_has_name',
    text: 'select 1 from saved_filter where user_id = $1 and list = $2 and lower(name) = lower($3) and id <> $4',
    values: [userId, table, name, id],
  });
  return rows.length > 0;
}

export async function countOthers(tx: Tx, userId: string, { id, table }: NewFilter): Promise<number> {
  const [row] = await runStatement<'saved_filter_count', { count: number }>(tx, {
    name: 'saved_filter_count',
    text: 'select count(*)::int as count from saved_filter where user_id = $1 and list = $2 and id <> $3',
    values: [userId, table, id],
  });
  return row?.count ?? 0;
}

export async function putFilter(tx: Tx, owner: { partnerId: string; userId: string }, filter: NewFilter): Promise<FilterRow> {
  const [row] = await runStatement<'saved_filter_put', FilterRow>(tx, {
    name: 'saved_filter_put',
    text: `insert into saved_filter (partner_id, user_id, id, list, name, search) values ($1, $2, $3, $4, $5, $6::jsonb)
      on conflict (user_id, id) do update set list = excluded.list, name = excluded.name, search = excluded.search returning ${COLUMNS}`,
    values: [owner.partnerId, owner.userId, filter.id, filter.table, filter.name, JSON.stringify(filter.search)],
  });
  if (!row) throw new Error('A filter was not saved.');
  return row;
}

export async function deleteFilter(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'saved_filter_delete',
    text: 'delete from saved_filter where user_id = $1 and id = $2 returning 1',
    values: [userId, id],
  });
  return rows.length > 0;
}
