import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterCondition } from '../protocol.ts';
import { evaluateRouter } from './router.ts';

const holds = (...conditions: RouterCondition[][]): boolean | undefined =>
  evaluateRouter({ executionType: 'EXECUTE_FIRST_MATCH', branches: [{ branchName: 'b', branchType: 'CONDITION', conditions }] }).branches[0]
    ?.evaluation;

type Row = [NonNullable<RouterCondition['operator']>, unknown, unknown, boolean];
const table: Row[] = [
  ['TEXT_CONTAINS', 'Hello World', 'world', true],
  ['TEXT_DOES_NOT_CONTAIN', 'Hello', 'bye', true],
  ['TEXT_EXACTLY_MATCHES', 'Yes', 'yes', true],
  ['TEXT_EXACTLY_MATCHES', 'yes ', 'yes', false],
  ['TEXT_DOES_NOT_EXACTLY_MATCH', 'a', 'b', true],
  ['TEXT_STARTS_WITH', '+1555', '+1', true],
  ['TEXT_DOES_NOT_START_WITH', '+44', '+1', true],
  ['TEXT_ENDS_WITH', 'a.pdf', '.PDF', true],
  ['TEXT_DOES_NOT_END_WITH', 'a.txt', '.pdf', true],
  ['NUMBER_IS_GREATER_THAN', 14, '10', true],
  ['NUMBER_IS_GREATER_THAN', '9', '10', false],
  ['NUMBER_IS_GREATER_THAN', '', '-1', false],
  ['NUMBER_IS_LESS_THAN', '9', '10', true],
  ['NUMBER_IS_EQUAL_TO', '7.0', 7, true],
  ['BOOLEAN_IS_TRUE', true, undefined, true],
  ['BOOLEAN_IS_TRUE', 'true', undefined, true],
  ['BOOLEAN_IS_TRUE', '', undefined, false],
  ['BOOLEAN_IS_FALSE', false, undefined, true],
  ['BOOLEAN_IS_FALSE', '', undefined, false],
  ['EXISTS', 0, undefined, true],
  ['EXISTS', '', undefined, false],
  ['DOES_NOT_EXIST', '', undefined, true],
  ['DOES_NOT_EXIST', 'x', undefined, false],
  ['LIST_CONTAINS', ['a', 'b'], 'B', true],
  ['LIST_CONTAINS', '["a"]', 'a', true],
  ['LIST_DOES_NOT_CONTAIN', ['a'], 'b', true],
  ['LIST_IS_EMPTY', [], undefined, true],
  ['LIST_IS_EMPTY', 'no list', undefined, false],
  ['LIST_IS_NOT_EMPTY', [1], undefined, true],
  ['LIST_IS_NOT_EMPTY', '', undefined, false],
  ['DATE_IS_BEFORE', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', true],
  ['DATE_IS_AFTER', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', false],
  ['DATE_IS_EQUAL', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', true],
];
for (const [operator, firstValue, secondValue, expected] of table) {
  test(`${operator} of ${JSON.stringify(firstValue)} and ${JSON.stringify(secondValue)} is ${expected}`, () =>
    assert.equal(holds([{ operator, firstValue, secondValue }]), expected));
}

const yes: RouterCondition = { operator: 'EXISTS', firstValue: 'x' };
const no: RouterCondition = { operator: 'EXISTS', firstValue: '' };

test('the outer list means or, the inner one and', () => {
  assert.equal(holds([yes, no], [yes]), true);
  assert.equal(holds([yes, no], [no]), false);
  assert.equal(holds([yes, yes]), true);
});

test('case counts only when it is asked to', () => {
  assert.equal(holds([{ operator: 'TEXT_CONTAINS', firstValue: 'ABC', secondValue: 'b', caseSensitive: true }]), false);
});

test('the fallback holds exactly when no condition did', () => {
  const withFallback = (condition: RouterCondition): boolean[] =>
    evaluateRouter({
      executionType: 'EXECUTE_ALL_MATCH',
      branches: [
        { branchName: 'c', branchType: 'CONDITION', conditions: [[condition]] },
        { branchName: 'f', branchType: 'FALLBACK' },
      ],
    }).branches.map(({ evaluation }) => evaluation);
  assert.deepEqual(withFallback(yes), [true, false]);
  assert.deepEqual(withFallback(no), [false, true]);
});
