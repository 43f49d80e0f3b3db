import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, monthsOf, parseStaffUsageSearch } from './usage-search.ts';

test('drops what is no filter of the usage', () => {
  assert.deepEqual(parseStaffUsageSearch({ span: '90d', currency: 'EUR' }), { span: '90d', currency: 'EUR' });
  assert.deepEqual(parseStaffUsageSearch({ span: '1y', currency: 'euro', partner: 'x' }), {});
});

test('days and months end with the present one, across a year', () => {
  const now = new Date('2026-01-02T23:30:00.000Z');
  assert.deepEqual(daysOf('7d', now).slice(-3), ['2025-12-31', '2026-01-01', '2026-01-02']);
  assert.equal(daysOf('90d', now).length, 90);
  assert.deepEqual(monthsOf(3, now), ['2025-11', '2025-12', '2026-01']);
});
