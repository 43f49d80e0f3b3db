import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SUBSCRIPTION_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import fc from 'fast-check';
import { creditsToTake, purchaseProblem, quotePacks, quoteSeats, seatShortage } from './purchase.ts';

const march = { start: new Date('2026-03-01T09:00:00.000Z'), end: new Date('2026-04-01T09:00:00.000Z') };

describe('seats', () => {
  for (const [now, days, dueNowMinor] of [
    ['2026-03-01T09:00:00.000Z', 31, 4_500],
    ['2026-03-01T23:59:59.999Z', 31, 4_500],
    ['2026-03-02T00:00:00.000Z', 30, 4_355],
    ['2026-03-17T12:00:00.000Z', 15, 2_177],
    ['2026-03-31T23:59:59.999Z', 1, 145],
    ['2026-04-01T08:59:59.999Z', 1, 145],
  ] as const)
    it(`bought at ${now} cost ${days} of 31 days, today included`, () => {
      const { share, ...quote } = quoteSeats(3, 1_500, march, new Date(now));
      assert.deepEqual(share, { days, of: 31 });
      assert.deepEqual(quote, { unitPriceMinor: 1_500, dueNowMinor, monthlyMinor: 4_500 });
    });

  it('cost at least a day and at most a period, and more when bought earlier', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.nat(1_000_000),
        fc.nat(31 * 24 * 60),
        fc.nat(31 * 24 * 60),
        (quantity, price, a, b) => {
          const at = (minutes: number) =>
            quoteSeats(quantity, price, march, new Date(march.start.getTime() + minutes * 60_000)).dueNowMinor;
          const [earlier, later] = [at(Math.min(a, b)), at(Math.max(a, b))];
          assert.ok(later >= Math.floor((quantity * price) / 31) && later <= earlier && earlier <= quantity * price);
        },
      ),
    );
  });
});

it('packs cost their price once', () => {
  assert.deepEqual(quotePacks(3, { priceMinor: 2_900 }), {
    unitPriceMinor: 2_900,
    share: { days: 1, of: 1 },
    dueNowMinor: 8_700,
    monthlyMinor: 0,
  });
});

it('a subscription buys while it is active or past due, and otherwise says what to do', () => {
  const buys = SUBSCRIPTION_STATUSES.filter((status) => purchaseProblem(status) === null);
  assert.deepEqual(buys, ['active', 'past_due']);
  for (const status of SUBSCRIPTION_STATUSES) assert.match(purchaseProblem(status) ?? 'Pay', /Request a plan|Pay/);
});

for (const [name, fewer, shortage] of [
  ['fit while one is left over', 2, null],
  ['fit exactly', 3, null],
  ['do not fit when one is missing', 4, { used: 9, limit: 8 }],
] as const)
  it(`members and invitations ${name}`, () =>
    assert.deepEqual(seatShortage({ included: 10, purchased: 2, members: 7, pendingInvites: 2 }, fewer), shortage));

for (const [used, left] of [
  [0, 500],
  [1_000, 500],
  [1_200, 300],
  [1_500, 0],
  [1_700, 0],
] as const)
  it(`of 500 purchased credits ${left} can be taken when ${used} of 1,000 monthly ones are used`, () =>
    assert.equal(creditsToTake({ purchased: 500, used, monthly: 1_000 }), left));
