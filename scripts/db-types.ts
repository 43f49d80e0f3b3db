import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../tests/harness/database.ts';

const ROOT = join(import.meta.dirname, '..');
export const TYPES_FILE = 'service/schema/types.gen.ts';

/** Generates the TypeScript types of the migrated database. */
export async function generateDatabaseTypes(): Promise<string> {
  const database = await createTestDatabase();
  try {
    const { host, port, user } = database.host.adminConfig;
    const out = join(tmpdir(), `portal-types-${process.pid}.ts`);
    const url = `postgres://${user}@/${database.name}?host=${encodeURIComponent(host)}&port=${port}`;
    const cli = join(ROOT, 'node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js');
    const args = ['--dialect', 'postgres', '--url', url, '--out-file', out, '--camel-case', '--default-schema', 'public'];
    args.push(
      '--include-pattern',
      'public.*',
      '--exclude-pattern',
      'public.kysely_*',
      '--numeric-parser',
      'string',
      '--date-parser',
      'string',
    );
    args.push('--no-domains', '--type-mapping', '{"int8":"ColumnType<number, number | string, number | string>"}');
    const done = spawnSync(process.execPath, [cli, ...args], { cwd: ROOT, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`kysely-codegen failed: ${done.stdout}${done.stderr}`);
    return readFileSync(out, 'utf8');
  } finally {
    await database.drop();
  }
}
