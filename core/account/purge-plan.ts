/** How rows of an account are found and in which order they go, decided from the database's catalog. */

export type CatalogueIndex = {
  name: string;
  columns: readonly { name: string; descending: boolean; notNull: boolean }[];
  isUnique: boolean;
  isPartial: boolean;
};

export type CatalogueTable = {
  name: string;
  columns: readonly string[];
  indexes: readonly CatalogueIndex[];
  /** Column and bounds of a partitioned table; null for others. */
  partitions: { column: string; bounds: readonly string[] } | null;
};

export type ForeignKey = {
  table: string;
  columns: readonly string[];
  references: string;
  /** Deleting the referenced row sets the column to null by itself. */
  setsNull: boolean;
  isNullable: boolean;
};

/** A reference that is emptied before any row goes, because its tables refer to each other. */
export type CutReference = { table: string; columns: readonly string[] };

/**
 * Orders tables so that a row goes after those that refer to it. References that set themselves to null are respected where possible;
 * `before` are pairs whose first goes first for another reason. In a circle the references that may be null are cut. Ties by `rank`, then by name.
 */
export function orderTables(
  tables: readonly string[],
  keys: readonly ForeignKey[],
  before: readonly (readonly [string, string])[],
  rank: (table: string) => number,
): { order: string[]; cut: CutReference[] } {
  const listed = new Set(tables);
  const isBetween = (first: string, second: string): boolean => first !== second && listed.has(first) && listed.has(second);
  const hard = keys.filter((key) => isBetween(key.table, key.references) && !key.setsNull);
  const soft = keys.filter((key) => isBetween(key.table, key.references) && key.setsNull);
  const pairs = before.filter(([first, second]) => isBetween(first, second));
  const left = new Set(tables.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)));
  const cut: CutReference[] = [];
  const order: string[] = [];
  const isFree = (table: string, edges: readonly (readonly [string, string])[]): boolean =>
    !edges.some(([first, second]) => second === table && left.has(first));
  const isCut = (key: ForeignKey): boolean => cut.some((one) => one.table === key.table && one.columns.join() === key.columns.join());
  while (left.size > 0) {
    const blocking = [...pairs, ...hard.filter((key) => !isCut(key)).map((key) => [key.table, key.references] as const)];
    const wished = [...blocking, ...soft.map((key) => [key.table, key.references] as const)];
    const next = [...left].find((table) => isFree(table, wished)) ?? [...left].find((table) => isFree(table, blocking));
    if (next !== undefined) {
      left.delete(next);
      order.push(next);
      continue;
    }
    const loose = hard.filter((key) => left.has(key.table) && left.has(key.references) && key.isNullable && !isCut(key));
    if (loose.length === 0) throw new Error(`These tables refer to each other in a circle: ${[...left].join(', ')}.`);
    cut.push(...loose.map(({ table, columns }) => ({ table, columns })));
  }
  return { order, cut };
}

/** How the rows of one table are walked: the columns that are compared with the account, then those that order its rows. */
export type Walk = { index: string; equal: string[]; columns: string[]; descending: boolean[]; isUnique: boolean };

/**
 * Chooses the index that finds an account's rows and keeps a place among them. `scope` are the columns whose value is given. Prefers one that
 * compares more of them, then one whose order names each row once. Undefined when no index starts with one of them.
 */
export function chooseWalk(table: CatalogueTable, scope: readonly string[], indexName?: string): Walk | undefined {
  const candidates = table.indexes
    .filter((index) => (indexName === undefined ? !index.isPartial : index.name === indexName))
    .map((index) => walkOf(table, index, scope))
    .filter((walk) => walk.equal.length > 0);
  const score = (walk: Walk): number => walk.equal.length * 4 + (walk.isUnique ? 2 : 0) + (walk.columns.length > 0 ? 1 : 0);
  return candidates.toSorted((a, b) => score(b) - score(a) || (a.index < b.index ? -1 : 1))[0];
}

function walkOf(table: CatalogueTable, index: CatalogueIndex, scope: readonly string[]): Walk {
  const equal: string[] = [];
  for (const { name } of index.columns) {
    if (!scope.includes(name)) break;
    equal.push(name);
  }
  const rest = index.columns.slice(equal.length);
  const firstNull = rest.findIndex((column) => !column.notNull);
  const walked = firstNull < 0 ? rest : rest.slice(0, firstNull);
  const columns = walked.map((column) => column.name);
  const named = new Set([...equal, ...columns]);
  const isUnique = table.indexes.some(
    (one) => one.isUnique && !one.isPartial && one.columns.every((column) => column.notNull && named.has(column.name)),
  );
  return { index: index.name, equal, columns, descending: walked.map((column) => column.descending), isUnique };
}

/** The ranges of a partitioned table, each of which lies in one partition; one range without bounds for other tables. */
export function rangesOf(bounds: readonly string[]): { from: string | null; to: string | null }[] {
  const sorted = [...new Set(bounds)].toSorted();
  return [null, ...sorted].map((from, index) => ({ from, to: sorted[index] ?? null }));
}
