import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = '**/*.{ts,tsx,js,jsx,mjs,json,css}';
const SKIPPED = new Set(['node_modules', 'dist', 'test-results', '.git', '.data', '.cache']);

type Outcome = { ok: boolean; output: string };

/**
 * Runs a check whose program keeps no cache, unless it has passed here on exactly these sources before: every source file, the configuration and
 * the versions in the lock file. What failed is run again.
 */
export async function runUnlessPassed(root: string, name: string, run: () => Promise<Outcome>): Promise<Outcome> {
  const kept = join(root, 'node_modules', '.cache', 'passed', name);
  const sources = hashSources(root);
  if (read(kept) === sources) return { ok: true, output: '' };
  const outcome = await run();
  if (!outcome.ok) return outcome;
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, sources);
  return outcome;
}

function hashSources(root: string): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(SOURCES, { cwd: root, exclude: (name) => SKIPPED.has(name) }).toSorted();
  for (const file of files)
    hash
      .update('\0')
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
