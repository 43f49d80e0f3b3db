import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../service/platform/db/roles.ts';
import { createTestDatabase } from '../tests/harness/database.ts';

const ROOT = join(import.meta.dirname, '..');
export const TYPES_FILE = 'service/schema/types.gen.ts';

/** Generates the TypeScript types of the migrated database. */
export async function generateDatabaseTypes(): Promise<string> {
  const database = await createTestDatabase();
  try {
    // The generator takes the comments of columns from the catalog.
    await withClient({ ...database.host.adminConfig, database: database.name }, (client) => client.query(readColumnComments()));
    const { host, port, user } = database.host.adminConfig;
    const out = join(tmpdir(), `portal-types-${process.pid}.ts`);
    const url = `postgres://${user}@/${database.name}?host=${encodeURIComponent(host)}&port=${port}`;
    const cli = join(ROOT, 'node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js');
    const args = ['--dialect', 'postgres', '--url', url, '--out-file', out, '--camel-case', '--default-schema', 'public'];
    args.push('--include-pattern', 'public.*', '--numeric-parser', 'string', '--date-parser', 'string');
    args.push('--no-domains', '--type-mapping', '{"int8":"ColumnType<number, number | string, number | string>"}');
    const done = spawnSync(process.execPath, [cli, ...args], { cwd: ROOT, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`kysely-codegen failed: ${done.stdout}${done.stderr}`);
    return readFileSync(out, 'utf8');
  } finally {
    await database.drop();
  }
}

/** Returns the comments above columns in `schema/tables/` as statements. */
function readColumnComments(): string {
  const statements: string[] = [];
  for (const file of globSync('service/schema/tables/*.sql', { cwd: ROOT })) {
    let table = '';
    let comment: string[] = [];
    for (const line of readFileSync(join(ROOT, file), 'utf8').split('\n')) {
      const [, text] = /^ {2}-- (.*)$/.exec(line) ?? [];
      const [, column] = /^ {2}("?\w+"?) /.exec(line) ?? [];
      table = /^create (?:unlogged )?table (\w+) \(/.exec(line)?.[1] ?? table;
      if (text !== undefined) comment.push(text);
      else if (column !== undefined && comment.length > 0)
        statements.push(`comment on column ${table}.${column} is '${comment.join(' ').replaceAll("'", "''")}'`);
      if (text === undefined) comment = [];
    }
  }
  return statements.join(';');
}
