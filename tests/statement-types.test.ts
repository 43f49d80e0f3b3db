import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { runStatement } from '@partner-portal/service/platform/db/statements.ts';
import type { Tx } from '@partner-portal/service/platform/db/tx.ts';
import { generateStatementTypes } from '../scripts/sql/statement-types.ts';
import { findStatements } from '../scripts/sql/find-statements.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

/** Types reach the SQL (ADR 0015): the check of generated files and the compiler fail for a statement that does not fit the schema. */
describe('types of statements', () => {
  let database: TestDatabase;
  const address = () => ({ ...database.host.adminConfig, database: database.name });
  const change = (sql: string) => withClient(address(), (client) => client.query(sql));

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('cover every statement of the service', () => {
    const found = findStatements();
    assert.ok(found.length > 850, `only ${found.length}`);
    assert.deepEqual(
      found.filter(({ names, isUnreadable }) => names.length === 0 || isUnreadable).map(({ file, line }) => `${file}:${line}`),
      [],
    );
  });

  it('name file and line of each statement that uses a renamed column', async () => {
    await generateStatementTypes(address());
    await change('alter table webhook_recovery rename column queued to enqueued');
    await assert.rejects(generateStatementTypes(address()), (error: Error) => {
      assert.match(error.message, /webhooks\/store-recoveries\.ts:\d+: column "?(r\.)?queued"? /);
      return true;
    });
    await change('alter table webhook_recovery rename column enqueued to queued');
  });

  it('follow a retyped column', async () => {
    const before = await generateStatementTypes(address());
    await change('alter table webhook_recovery alter column total type text');
    const after = await generateStatementTypes(address());
    assert.notEqual(after, before);
    assert.match(after, /"total": string \| null/);
  });

  it('refuse values and row types that do not fit, and accept those that do', () => {
    const uses = (tx: Tx) => [
      runStatement<'schedule_find', { id: string; sDueAt: Date | null }>(tx, { name: 'schedule_find', text: '', values: ['id'] }),
      // @ts-expect-error: the statement has no such column
      runStatement<'schedule_find', { title: string }>(tx, { name: 'schedule_find', text: '', values: ['id'] }),
      // @ts-expect-error: the column is a timestamp
      runStatement<'schedule_find', { sDueAt: number }>(tx, { name: 'schedule_find', text: '', values: ['id'] }),
      // @ts-expect-error: it takes one value
      runStatement<'schedule_find', { id: string }>(tx, { name: 'schedule_find', text: '', values: ['id', 'id'] }),
    ];
    assert.equal(typeof uses, 'function');
  });
});
