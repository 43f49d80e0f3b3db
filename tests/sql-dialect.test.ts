import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/** SQL has one dialect: named statements with numbered values (CONTRIBUTING.md, ADR 0015). */

const SERVICE = join(import.meta.dirname, '..', 'service');
const OTHER_DIALECTS = /\bfrom 'kysely'|\bquery<'|\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;
/** The platform sends the statements; the past of the demo is written in bulk, rows of any table by one text. */
const EXCLUDED = ['platform/db/**', 'quick-start/history/**', '**/node_modules/**', '**/*.test.ts', '**/test-*.ts'];

describe('the SQL of the service', () => {
  it('is named statements with numbered values', () => {
    const files = globSync('**/*.ts', { cwd: SERVICE, exclude: EXCLUDED });
    assert.ok(files.length > 500);
    assert.deepEqual(
      files.filter((file) => OTHER_DIALECTS.test(readFileSync(join(SERVICE, file), 'utf8'))),
      [],
    );
  });

  it('would be found in another dialect', () => {
    for (const text of [
      `import { sql } from 'kysely';`,
      `await query<'agents_find', Row>\`select 1\`.execute(tx)`,
      'sql<{ id: string }>`select 1`',
      `tx.selectFrom('partner')`,
    ])
      assert.match(text, OTHER_DIALECTS, text);
    assert.doesNotMatch(
      `await runStatement<'agents_find', Row>(tx, { name: 'agents_find', text: 'select 1 from workflow where id = $1' })`,
      OTHER_DIALECTS,
    );
  });
});
