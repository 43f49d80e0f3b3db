import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Act, mayDo } from './acts.ts';

const ACTS: readonly Act[] = ['issue', 'pay', 'credit', 'void', 'print'];

for (const [status, number, kind, allowed] of [
  ['draft', null, 'invoice', ['issue', 'void']],
  ['issued', '2026-000001', 'invoice', ['pay', 'credit', 'void', 'print']],
  ['paid', '2026-000001', 'invoice', ['credit', 'print']],
  ['void', '2026-000001', 'invoice', ['print']],
  ['void', null, 'invoice', []],
  ['issued', '2026-000002', 'credit_note', ['print']],
] as const) {
  test(`${status} ${kind} ${number ?? 'without a number'}: ${allowed.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(
      ACTS.filter((act) => mayDo(act, { status, number, kind, totalMinor: 9_900, owedMinor: status === 'issued' ? 9_900 : 0 })),
      allowed,
    );
  });
}

test('an issued invoice with a credit note is not voided', () => {
  const facts = { status: 'issued', number: '2026-000001', kind: 'invoice', totalMinor: 9_900, owedMinor: 4_900 } as const;
  assert.deepEqual(
    ACTS.filter((act) => mayDo(act, facts)),
    ['pay', 'credit', 'print'],
  );
});
