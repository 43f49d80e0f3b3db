import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { routes } from '../contract/index.ts';
import { freezeBaseline } from '../service/platform/db/baseline.ts';
import { SCHEMA_DIR } from '../service/platform/db/migrate.ts';
import { freezeMigrations } from '../service/platform/db/migration-history.ts';
import { buildDocument } from '../service/platform/http/document.ts';
import { writeConfigurationPage, writeEnvExample } from './configuration-page.ts';
import { generateDatabaseTypes, TYPES_FILE } from './db-types.ts';
import { generateStatements, STATEMENTS_FILE } from './sql/statement-types.ts';
import { writeSweepsPage } from './sweeps-page.ts';

const ROOT = join(import.meta.dirname, '..');

export type Generated = { path: string; content: string };

/** Generates every committed file that is derived from code. */
export async function generateAll(): Promise<Generated[]> {
  const document = await buildDocument(routes, 'http://localhost:3000');
  return [
    { path: 'docs/configuration.md', content: writeConfigurationPage() },
    { path: 'docs/sweeps.md', content: writeSweepsPage() },
    { path: '.env.example', content: writeEnvExample() },
    { path: 'docs/api/openapi.json', content: `${JSON.stringify(document, null, 2)}\n` },
    { path: 'service/schema/baseline.json', content: await freezeBaseline(SCHEMA_DIR) },
    { path: 'service/schema/migrations/history.json', content: await freezeMigrations(join(SCHEMA_DIR, 'migrations')) },
    { path: TYPES_FILE, content: await generateDatabaseTypes() },
    { path: STATEMENTS_FILE, content: await generateStatements() },
  ];
}

/** Returns the paths whose committed content is out of date. */
function findStale(generated: readonly Generated[]): string[] {
  return generated.filter(({ path, content }) => readCommitted(path) !== content).map(({ path }) => path);
}

function readCommitted(path: string): string | null {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const generated = await generateAll();
  const stale = new Set(findStale(generated));
  if (process.argv.includes('--check')) {
    if (stale.size > 0) process.stdout.write(`Out of date: ${[...stale].join(', ')}. Run "npm run gen" and commit the result.\n`);
    process.exit(stale.size > 0 ? 1 : 0);
  }
  for (const { path, content } of generated) {
    if (!stale.has(path)) continue;
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), content);
    process.stdout.write(`wrote ${path}\n`);
  }
}
