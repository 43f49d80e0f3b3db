import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chargedAt, type ChargedLine } from './charged.ts';

const period = { start: new Date('2026-03-01T09:00:00.000Z'), end: new Date('2026-04-01T09:00:00.000Z') };
const later = new Date('2026-03-10T12:00:00.000Z');
const line = (kind: ChargedLine['kind'], quantity: number, unitPriceMinor: number, more: Partial<ChargedLine> = {}): ChargedLine => ({
  kind,
  quantity,
  unitPriceMinor,
  periodStart: period.start,
  orderId: null,
  ...more,
});

describe('what the rest of a period was charged at', () => {
  it('is nothing of a period without lines', () => assert.deepEqual(chargedAt([], period), { planMinor: 0, seats: [] }));

  it('is the price of the latest change of plan', () => {
    const lines = [line('plan', 1, 100), line('plan', 1, 300, { periodStart: later })];
    assert.deepEqual(chargedAt(lines, period).planMinor, 300);
  });

  it('has seats at the prices at which they were bought', () => {
    const bought = line('seats', 2, 15, { periodStart: later, orderId: 'order' });
    assert.deepEqual(chargedAt([line('seats', 3, 12), bought], period).seats, [
      { quantity: 2, unitPriceMinor: 15 },
      { quantity: 3, unitPriceMinor: 12 },
    ]);
  });

  it('has as many seats at the price of a change as that charged', () => {
    const bought = line('seats', 2, 15, { periodStart: later, orderId: 'order' });
    const changed = line('seats', 4, 20, { periodStart: later });
    assert.deepEqual(chargedAt([line('seats', 3, 12), bought, changed], period).seats, [
      { quantity: 4, unitPriceMinor: 20 },
      { quantity: 1, unitPriceMinor: 12 },
    ]);
  });
});
