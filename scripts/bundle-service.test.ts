import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findEntries, findUnplaced } from './bundle-service.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the files that the service is written into', () => {
  it('are the processes and every thread, each under a name of its own', () => {
    const entries = findEntries();
    for (const { file } of entries) assert.ok(existsSync(join(ROOT, file)), file);
    const names = entries.map(({ name }) => name);
    for (const name of ['portal', 'health', 'engine', 'code-steps', 'tenant-sql-worker', 'render-report', 'saml-tasks'])
      assert.ok(names.includes(name), name);
    assert.equal(new Set(names).size, names.length);
  });

  it('find what is read by its place: no source asks for its own place in another way', () => {
    const files = globSync('{contract,messages,core,catalog,engine,sandbox,service}/**/*.ts', {
      cwd: ROOT,
      exclude: (name) => ['node_modules', 'dist'].includes(name),
    }).filter((file) => !file.endsWith('.test.ts'));
    assert.ok(files.length > 1_000);
    assert.deepEqual(
      files.flatMap((file) => findUnplaced(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`)),
      [],
    );
    assert.deepEqual(findUnplaced("const at = fileURLToPath(import.meta.url);\nconst file = new URL('./x.ts', import.meta.url);"), [
      'const at = fileURLToPath(import.meta.url);',
    ]);
  });
});
