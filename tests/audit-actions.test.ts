import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { AUDIT_ACTION_NAMES } from '@partner-portal/contract/audit-actions.ts';

const ROOT = join(import.meta.dirname, '..');

// That nothing outside the table can be declared or recorded is checked by the types.
it('every action of the audit log is declared by a route or recorded by the service', () => {
  const files = globSync(['contract/routes/*.ts', 'service/**/*.ts'], { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'));
  const code = files.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
  assert.ok(files.length > 200);
  assert.deepEqual(
    AUDIT_ACTION_NAMES.filter((action) => !code.includes(`'${action}'`)),
    [],
  );
});

it('every action has its texts in one file', () => {
  const names = globSync('contract/audit-actions/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^ {2}'([\w.]+)': \{/gm)].map(([, name = '']) => name),
  );
  assert.deepEqual(names.toSorted(), AUDIT_ACTION_NAMES.toSorted());
});
