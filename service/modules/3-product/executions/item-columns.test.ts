import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { ACCEPT_COLUMNS, ACCEPT_TEXT } from './accept/store-accept.ts';
import { arraysOf, type ItemColumns, parameterList } from '#platform/db/item-columns.ts';
import { FINISH_COLUMNS, FINISH_TEXT } from './report/store-finish.ts';

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

const FUNCTIONS: [name: string, columns: ItemColumns<never>, text: string, others: string[]][] = [
  ['accept_executions', ACCEPT_COLUMNS, ACCEPT_TEXT, ['failed_free integer', 'statuses jsonb']],
  ['finish_executions', FINISH_COLUMNS, FINISH_TEXT, ['from_timeout boolean', 'may_cross boolean']],
];
for (const [name, columns, text, others] of FUNCTIONS) {
  it(`the columns of ${name} have the names, types and order of its parameters`, async () => {
    const [found] = await service.query<{ parameters: string }>(
      'select pg_get_function_identity_arguments(oid) as parameters from pg_proc where proname = $1',
      [name],
    );
    assert.ok(text.includes(`${name}(${parameterList(columns)}`), 'the statement passes them in that order');
    const declared = Object.entries(columns).map(([parameter, [type]]) => `${parameter} ${type.replace(/^int/, 'integer')}`);
    assert.deepEqual(found?.parameters.split(', '), [...declared, ...others]);
  });
}

it('a column that no item fills is sent as null, one that any item fills whole', () => {
  const columns: ItemColumns<{ id: string; note: string | null; flag: boolean }> = {
    ids: ['uuid[]', (item) => item.id],
    notes: ['text[]', (item) => item.note],
    flags: ['boolean[]', (item) => item.flag],
  };
  const [first, second] = [
    { id: 'a', note: null, flag: false },
    { id: 'b', note: 'x', flag: false },
  ];
  assert.deepEqual(arraysOf(columns, [first]), [['a'], null, null]);
  assert.deepEqual(arraysOf(columns, [first, second]), [['a', 'b'], [null, 'x'], null]);
  assert.equal(parameterList(columns), '$1::uuid[], $2::text[], $3::boolean[]');
});
