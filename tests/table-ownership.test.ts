import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { PLATFORM_TABLES, TABLES, type TableUsage } from '@partner-portal/service/schema/tables.ts';
import { collect, findTableUse, type TableUse } from '../scripts/sql/table-use.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

/** Coupling in SQL, where neither lint nor types look: each module uses the tables it declares and no other. */
describe('tables', () => {
  let database: TestDatabase;
  let tables: Set<string>;

  before(async () => {
    database = await createTestDatabase();
    const { rows } = await withClient({ ...database.host.adminConfig, database: database.name }, (client) =>
      client.query<{ name: string }>(`select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'kysely%'`),
    );
    tables = new Set(rows.map(({ name }) => name));
  });
  after(() => database.drop());

  const ownerOf = (table: string, declared = TABLES): string | undefined =>
    Object.entries(declared).find(([, { owns }]) => owns.includes(table))?.[0];

  it('belong to exactly one module or to the platform', () => {
    const owned = [...Object.values(TABLES).flatMap(({ owns }) => owns), ...PLATFORM_TABLES];
    const bookkeeping = [...tables].filter((table) => /^(?:schema|sql|function)_/.test(table));
    assert.deepEqual(owned.toSorted(), [...tables].filter((table) => !bookkeeping.includes(table)).toSorted());
  });

  it('are declared for modules that exist', () => {
    const folder = join(import.meta.dirname, '..', 'service', 'modules');
    const modules = readdirSync(folder).flatMap((layer) => readdirSync(join(folder, layer)).map((name) => `${layer}/${name}`));
    assert.deepEqual(
      Object.keys(TABLES).filter((name) => !modules.includes(name)),
      [],
    );
  });

  it('are used as declared, and nothing is declared that is not used', () => {
    const uses = findTableUse(tables);
    assert.ok(uses.size > 20, `only ${uses.size} modules`);
    assert.deepEqual(
      [...uses].flatMap(([module, use]) => violations(module, use, TABLES)),
      [],
    );
  });

  it('of a higher layer are read only with a reason', () => {
    for (const [module, { reads = [], readsAbove = {} }] of Object.entries(TABLES)) {
      for (const table of reads) assert.ok(layerOf(ownerOf(table)) <= layerOf(module), `${module} reads ${table} of a higher layer`);
      for (const table of Object.keys(readsAbove))
        assert.ok(layerOf(ownerOf(table)) > layerOf(module), `${module} need not excuse ${table}`);
    }
  });

  const PLANTED = [
    ['select 1 from alert', '3-product/catalog reads alert'],
    ["update credential set provider = 'x'", '3-product/catalog writes credential'],
    ['with gone as (delete from execution returning id) select 1 from gone', '3-product/catalog writes execution'],
    ['insert into usage_entry select', '3-product/catalog writes usage_entry'],
  ] as const;
  for (const [text, problem] of PLANTED) {
    it(`object to: ${text}`, () => {
      const use: TableUse = { writes: new Set(), reads: new Set(TABLES['3-product/catalog']?.reads) };
      collect(text, tables, use);
      assert.deepEqual(violations('3-product/catalog', use, TABLES), [problem]);
    });
  }

  it('accept a read that is declared', () => {
    const use: TableUse = { writes: new Set(), reads: new Set() };
    collect('select 1 from workflow w join client c on true join partner p on true', tables, use);
    assert.deepEqual(violations('3-product/catalog', use, TABLES), []);
  });
});

const layerOf = (module: string | undefined): number => Number(module?.[0] ?? 0);

/** Uses that are not declared, and declarations without a use. */
function violations(module: string, use: TableUse, declared: Readonly<Record<string, TableUsage>>): string[] {
  const { owns, writes = {}, reads = [], readsAbove = {} } = declared[module] ?? { owns: [] };
  const mayRead = [...owns, ...Object.keys(writes), ...reads, ...Object.keys(readsAbove)];
  return [
    ...[...use.writes].filter((table) => !owns.includes(table) && !(table in writes)).map((table) => `${module} writes ${table}`),
    ...[...use.reads].filter((table) => !mayRead.includes(table)).map((table) => `${module} reads ${table}`),
    ...Object.keys(writes)
      .filter((table) => !use.writes.has(table))
      .map((table) => `${module} declares a write of ${table}`),
    ...[...reads, ...Object.keys(readsAbove)]
      .filter((table) => !use.reads.has(table))
      .map((table) => `${module} declares a read of ${table}`),
  ];
}
