import { BATCH_ROWS_MAX } from '@partner-portal/core/account/purge.ts';
import { type CatalogueTable, chooseWalk, orderTables, rangesOf, type Walk } from '@partner-portal/core/account/purge-plan.ts';
import type { Database } from '#platform/db/tx.ts';
import { type DeletingStep, TENANT_TABLES, type Treatment } from '#schema/tenant-tables.ts';
import { readForeignKeys, readTables } from './store-catalogue.ts';

type Deletion = Extract<Treatment, { how: 'delete' }>;

/** One table that loses rows: how they are found, and which of them go. */
export type PurgeTable = {
  name: string;
  step: DeletingStep;
  /** Condition on the columns of the index. */
  scope: string;
  /** Conditions that each lie in one partition; one empty condition for other tables. */
  ranges: string[];
  walk: Walk;
  matching: string;
  dependents: readonly string[];
  rowsMax: number;
};

/** The deletions of a purge, in the order in which references allow them. */
export type PurgePlan = { tables: PurgeTable[]; cut: { table: string; columns: readonly string[] }[] };

/** Runs end first: what is left of them may still report, and causes most other rows. Then what is due because of them. */
const FIRST: readonly string[] = ['dispatch', 'under_way', 'execution', 'event'];

/** Makes the plan from the database's catalog. */
export async function planPurge(db: Database, scope: 'partner' | 'client'): Promise<PurgePlan> {
  const { tables, keys } = await db.asSystem('purge', async (tx) => ({ tables: await readTables(tx), keys: await readForeignKeys(tx) }));
  const byName = new Map(tables.map((table) => [table.name, table]));
  const treatments = new Map<string, Deletion>();
  for (const [name, rule] of Object.entries(TENANT_TABLES)) {
    const treatment = scope === 'partner' ? rule.agency : rule.client;
    if (treatment.how === 'delete' && byName.has(name)) treatments.set(name, treatment);
  }
  // The conditions that read other tables are those of a client.
  const before =
    scope === 'partner'
      ? []
      : Object.entries(TENANT_TABLES).flatMap(([name, rule]) => (rule.before ?? []).map((other) => [name, other] as const));
  const rank = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const { order, cut } = orderTables([...treatments.keys()], keys, before, rank);
  const planned = order.flatMap((name) => {
    const [table, treatment] = [byName.get(name), treatments.get(name)];
    return table && treatment ? [planTable(table, treatment, scope)] : [];
  });
  return { tables: planned, cut };
}

function planTable(table: CatalogueTable, treatment: Deletion, scope: 'partner' | 'client'): PurgeTable {
  const byClient = scope === 'client' && treatment.only === undefined;
  const given = byClient ? ['partner_id', 'client_id'] : ['partner_id'];
  const walk = chooseWalk(table, given, treatment.index?.name);
  if (!walk) throw new Error(`No index of ${table.name} finds the rows of an account.`);
  const conditions = ['t.partner_id = $1', ...(byClient ? ['t.client_id = $2'] : []), ...(treatment.index ? [treatment.index.where] : [])];
  return {
    name: table.name,
    step: treatment.step ?? 'delete_rows',
    scope: conditions.join(' and '),
    ranges: rangesOfTable(table),
    walk,
    matching: treatment.only ?? 'true',
    dependents: treatment.dependents ?? [],
    rowsMax: treatment.rows ?? BATCH_ROWS_MAX,
  };
}

/** The bounds are read from the catalog and compared as texts of uuids. */
function rangesOfTable({ partitions }: CatalogueTable): string[] {
  if (!partitions) return [''];
  const { column, bounds } = partitions;
  return rangesOf(bounds).map(
    ({ from, to }) => `${from === null ? '' : ` and t.${column} >= '${from}'`}${to === null ? '' : ` and t.${column} < '${to}'`}`,
  );
}
