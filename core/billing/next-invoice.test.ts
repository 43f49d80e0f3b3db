import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { composeInvoice, type InvoiceLine, recurringLines, seatsOfNextPeriod } from './next-invoice.ts';

const period = { start: new Date('2026-03-01T00:00:00.000Z'), end: new Date('2026-04-01T00:00:00.000Z') };
const growth = { planName: 'Growth', monthlyPriceMinor: 29_900, seatPriceMinor: 1_500, purchasedSeats: 2 };
const waits = (id: string, amountMinor: number): InvoiceLine => ({
  id,
  kind: amountMinor < 0 ? 'plan_credit' : 'credits',
  description: id,
  quantity: 1,
  unitPriceMinor: amountMinor,
  amountMinor,
  periodStart: null,
  periodEnd: null,
  orderId: null,
});
const amounts = (lines: readonly InvoiceLine[]) => lines.map(({ id, amountMinor }) => [id, amountMinor]);

describe('the lines of a period', () => {
  it('are the plan and the purchased seats, for the whole period', () => {
    assert.deepEqual(
      recurringLines(growth, period).map(({ kind, quantity, unitPriceMinor, amountMinor, periodStart, periodEnd }) => [
        kind,
        quantity,
        unitPriceMinor,
        amountMinor,
        periodStart,
        periodEnd,
      ]),
      [
        ['plan', 1, 29_900, 29_900, period.start, period.end],
        ['seats', 2, 1_500, 3_000, period.start, period.end],
      ],
    );
  });

  it('leave out what costs nothing', () => {
    const kinds = (terms: Partial<typeof growth>) => recurringLines({ ...growth, ...terms }, period).map(({ kind }) => kind);
    assert.deepEqual(kinds({ purchasedSeats: 0 }), ['plan']);
    assert.deepEqual(kinds({ seatPriceMinor: 0 }), ['plan']);
    assert.deepEqual(kinds({ monthlyPriceMinor: 0 }), ['seats']);
    assert.deepEqual(kinds({ monthlyPriceMinor: 0, purchasedSeats: 0 }), []);
  });
});

describe('the next invoice', () => {
  const recurring = recurringLines(growth, period);

  it('adds what waits, and taxes the subtotal once', () => {
    const draft = composeInvoice(recurring, [waits('pack', 4_900), waits('credit', -1_000)], 1_900);
    assert.deepEqual(amounts(draft?.lines ?? []), [
      [null, 29_900],
      [null, 3_000],
      ['pack', 4_900],
      ['credit', -1_000],
    ]);
    assert.deepEqual([draft?.subtotalMinor, draft?.taxMinor, draft?.totalMinor, draft?.carried], [36_800, 6_992, 43_792, []]);
  });

  it('keeps lines of 0 next to others', () => {
    assert.deepEqual(amounts(composeInvoice([], [waits('free', 0), waits('pack', 100)], 0)?.lines ?? []), [
      ['free', 0],
      ['pack', 100],
    ]);
  });

  it('does not exist without a charge', () => {
    for (const waiting of [[], [waits('free', 0)], [waits('credit', -500)]]) assert.equal(composeInvoice([], waiting, 1_900), null);
  });

  for (const [name, credits, used, carried] of [
    ['smaller than the charges', [-99], [['a', -99]], []],
    ['equal to the charges', [-100], [['a', -100]], []],
    ['larger than the charges', [-250], [['a', -100]], [[null, -150]]],
    [
      'of which the second is divided',
      [-60, -60],
      [
        ['a', -60],
        ['b', -40],
      ],
      [[null, -20]],
    ],
    ['of which the second waits as it is', [-100, -60], [['a', -100]], [['b', -60]]],
  ] as const)
    it(`is never negative: credits ${name}`, () => {
      const draft = composeInvoice(
        [],
        [waits('pack', 100), ...credits.map((amount, index) => waits(String.fromCharCode(97 + index), amount))],
        0,
      );
      assert.deepEqual(amounts(draft?.lines ?? []).slice(1), used);
      assert.deepEqual(amounts(draft?.carried ?? []), carried);
      assert.equal(draft?.totalMinor, 100 + used.reduce((sum, [, amount]) => sum + amount, 0));
    });
});

describe('purchased seats at the end of the period', () => {
  for (const [name, seats, left] of [
    ['stay without a release', { included: 3, purchased: 5, released: 0, inUse: 1 }, 5],
    ['end as released', { included: 3, purchased: 5, released: 2, inUse: 1 }, 3],
    ['end to the last one', { included: 3, purchased: 5, released: 5, inUse: 3 }, 0],
    ['stay as far as they are in use', { included: 3, purchased: 5, released: 5, inUse: 6 }, 3],
    ['all stay when more are in use than there are', { included: 3, purchased: 5, released: 5, inUse: 12 }, 5],
    ['are never more than before', { included: 0, purchased: 1, released: 0, inUse: 9 }, 1],
    ['are never negative', { included: 3, purchased: 1, released: 4, inUse: 0 }, 0],
  ] as const)
    it(name, () => {
      const { included, ...others } = seats;
      assert.equal(seatsOfNextPeriod({ ...others, beyond: included, granted: 0 }, included), left);
      assert.equal(seatsOfNextPeriod({ ...others, beyond: 0, granted: included }, 0), left);
    });
  for (const [name, seats, left] of [
    ['are those that the next terms do not cover', {}, 2],
    ['are none when those cover all', { beyond: 2 }, 0],
    ['are as before when those include fewer', { beyond: 9 }, 4],
    ['are fewer by released ones', { released: 1 }, 1],
    ['are those in use beyond the included and granted ones', { inUse: 11 }, 3],
  ] as const)
    it(`after a change of terms ${name}`, () =>
      assert.equal(seatsOfNextPeriod({ purchased: 4, beyond: 5, released: 0, granted: 1, inUse: 0, ...seats }, 7), left));
});

it('the invoices of any charges and credits are never negative, and lose and invent no cent', () => {
  const amountsOf = fc.array(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(amountsOf, fc.nat(2_500), (months, taxRate) => {
      let waiting: readonly InvoiceLine[] = [];
      let invoiced = 0;
      for (const amounts of months) {
        waiting = [...waiting, ...amounts.map((amount, index) => waits(String(index), amount))];
        const draft = composeInvoice([], waiting, taxRate);
        if (!draft) continue;
        assert.ok(draft.totalMinor >= 0);
        assert.equal(
          draft.subtotalMinor,
          draft.lines.reduce((sum, line) => sum + line.amountMinor, 0),
        );
        assert.equal(draft.totalMinor, draft.subtotalMinor + draft.taxMinor);
        invoiced += draft.subtotalMinor;
        waiting = draft.carried;
      }
      const all = months.flat().reduce((sum, amount) => sum + amount, 0);
      assert.equal(invoiced + waiting.reduce((sum, line) => sum + line.amountMinor, 0), all);
    }),
  );
});
