import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chargedAt, type ChargedLine, creditsOfInvoice } from './charged.ts';
import type { InvoiceLine } from './next-invoice.ts';

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

describe('the credits of what an invoice charged', () => {
  const waits = (id: string, kind: InvoiceLine['kind'], unitPriceMinor: number, more: Partial<InvoiceLine> = {}): InvoiceLine => ({
    id,
    kind,
    description: 'Growth: unused 22 of 31 days',
    quantity: 1,
    unitPriceMinor,
    amountMinor: unitPriceMinor,
    periodStart: later,
    periodEnd: period.end,
    orderId: null,
    ...more,
  });
  const seatCredit = { description: 'Extra seats: unused 22 of 31 days' };
  const found = (invoiced: ChargedLine[], waiting: InvoiceLine[]) => creditsOfInvoice(invoiced, waiting, period).map(({ id }) => id);

  it('are those of the first change of the plan, and none of a plan that was charged since', () => {
    const waiting = [waits('old', 'plan_credit', -100, { periodStart: new Date('2026-02-10T12:00:00.000Z') })];
    waiting.push(waits('first', 'plan_credit', -100), waits('scale', 'plan', 300), waits('second', 'plan_credit', -300));
    waiting.push(waits('larger', 'plan', 500), waits('bought', 'seats', 15, { orderId: 'order' }));
    assert.deepEqual(found([line('plan', 1, 100)], waiting), ['first']);
    assert.deepEqual(found([line('seats', 2, 12)], waiting), []);
  });

  it('are those of its seats, and none of seats that were bought since', () => {
    const waiting = [
      waits('bought', 'seats', 15, { quantity: 2, orderId: 'order' }),
      waits('of bought', 'plan_credit', -15, { ...seatCredit, quantity: 2 }),
      waits('of invoiced', 'plan_credit', -12, { ...seatCredit, quantity: 1 }),
      waits('dearer', 'seats', 20, { quantity: 3 }),
      waits('of dearer', 'plan_credit', -20, { ...seatCredit, quantity: 3 }),
      waits('of the rest', 'plan_credit', -12, { ...seatCredit, quantity: 2 }),
      waits('dearest', 'seats', 30, { quantity: 5 }),
    ];
    assert.deepEqual(found([line('plan', 1, 100), line('seats', 3, 12)], waiting), ['of invoiced', 'of the rest']);
  });
});
