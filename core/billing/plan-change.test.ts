import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { planChange, type PlanChangeInput } from './plan-change.ts';
import type { PlanTerms } from './terms.ts';

const features = { sso: false, chatbot: true, customTemplates: false, aiPlatformKeys: true, customDomain: false, auditRetentionDays: 365 };
const growth: PlanTerms = {
  monthlyPriceMinor: 31_000,
  currency: 'USD',
  seatPriceMinor: 1_550,
  includedSeats: 5,
  includedClients: 25,
  monthlyCredits: 10_000,
  features,
};
const scale: PlanTerms = { ...growth, monthlyPriceMinor: 62_000, includedSeats: 15, includedClients: 100, monthlyCredits: 50_000 };
const march = { start: new Date('2026-03-01T09:00:00.000Z'), end: new Date('2026-04-01T09:00:00.000Z') };
const now = new Date('2026-03-22T12:00:00.000Z');

const decide = (change: Partial<Omit<PlanChangeInput, 'from' | 'to'>> & { from?: Partial<PlanTerms>; to?: Partial<PlanTerms> } = {}) =>
  planChange({
    now,
    status: 'active',
    period: march,
    purchasedSeats: 0,
    releasedSeats: 0,
    grantedSeats: 0,
    used: { clients: 3, seats: 2 },
    ...change,
    from: { planName: 'Growth', terms: { ...growth, ...change.from } },
    to: { planName: 'Scale', terms: { ...scale, ...change.to } },
  });
const amounts = (change: ReturnType<typeof decide>) => change.lines.map(({ kind, amountMinor }) => [kind, amountMinor]);

describe('the direction of a change', () => {
  for (const [name, from, to, purchasedSeats, direction] of [
    ['a higher price', {}, scale, 0, 'up'],
    ['a higher price with less in it', {}, { ...growth, monthlyPriceMinor: 31_001, includedClients: 3 }, 0, 'up'],
    ['a lower price', scale, growth, 0, 'down'],
    ['a lower price with more in it', {}, { ...growth, monthlyPriceMinor: 30_999, includedClients: 99 }, 0, 'down'],
    ['the same price and more credits', {}, { ...growth, monthlyCredits: 10_001 }, 0, 'up'],
    ['the same price and a further feature', {}, { ...growth, features: { ...features, sso: true } }, 0, 'up'],
    ['the same price and a feature less', {}, { ...growth, features: { ...features, chatbot: false } }, 0, 'down'],
    ['the same price, more clients and fewer seats', {}, { ...growth, includedClients: 30, includedSeats: 4 }, 0, 'down'],
    ['the same price and shorter audit retention', {}, { ...growth, features: { ...features, auditRetentionDays: 90 } }, 0, 'down'],
    ['the same terms', {}, growth, 3, 'same'],
    ['another seat price without purchased seats', {}, { ...growth, seatPriceMinor: 900 }, 0, 'up'],
    ['a higher seat price with purchased seats', {}, { ...growth, seatPriceMinor: 1_551 }, 1, 'up'],
    ['a lower seat price with purchased seats', {}, { ...growth, seatPriceMinor: 1_549 }, 1, 'down'],
    ['a higher fee, but less with all seats', {}, { ...growth, monthlyPriceMinor: 31_500, seatPriceMinor: 1_000 }, 1, 'down'],
  ] as const)
    it(`of ${name} is ${direction}`, () => {
      const change = decide({ from, to, purchasedSeats });
      assert.equal(change.direction, direction);
      assert.deepEqual(change.effectiveAt, direction === 'down' ? march.end : now);
      assert.equal(change.newPeriod, null);
      if (direction !== 'up') assert.deepEqual([change.lines, change.dueNowMinor], [[], 0]);
    });
});

describe('a move up', () => {
  it('credits the unused rest and charges the rest of the period on the new terms, today included', () => {
    const change = decide();
    assert.deepEqual(
      change.lines.map(({ kind, description, quantity, unitPriceMinor, amountMinor, periodStart, periodEnd }) => [
        kind,
        description,
        quantity,
        unitPriceMinor,
        amountMinor,
        periodStart,
        periodEnd,
      ]),
      [
        ['plan_credit', 'Growth: unused 10 of 31 days', 1, -31_000, -10_000, now, march.end],
        ['plan', 'Scale: 10 of 31 days', 1, 62_000, 20_000, now, march.end],
      ],
    );
    assert.deepEqual([change.dueNowMinor, change.nextMonthlyMinor], [10_000, 62_000]);
  });

  it('does the same with purchased seats whose price differs', () => {
    assert.deepEqual(amounts(decide({ purchasedSeats: 2, to: { seatPriceMinor: 3_100 } })), [
      ['plan_credit', -10_000],
      ['plan', 20_000],
      ['plan_credit', -1_000],
      ['seats', 2_000],
    ]);
    assert.deepEqual(amounts(decide({ purchasedSeats: 2 })), [
      ['plan_credit', -10_000],
      ['plan', 20_000],
    ]);
  });

  it('has no line for what costs nothing', () => {
    assert.deepEqual(amounts(decide({ from: { monthlyPriceMinor: 0 } })), [['plan', 20_000]]);
    assert.deepEqual(amounts(decide({ from: growth, to: { ...growth, monthlyCredits: 20_000 } })), []);
  });

  for (const [at, days] of [
    ['2026-03-01T09:00:00.000Z', 31],
    ['2026-03-31T23:59:59.999Z', 1],
    ['2026-04-01T08:59:59.999Z', 1],
  ] as const)
    it(`at ${at} is charged for ${days} of 31 days`, () =>
      assert.equal(decide({ now: new Date(at), from: { monthlyPriceMinor: 0 } }).dueNowMinor, days * 2_000));
});

describe('from a trial or an ended subscription', () => {
  for (const status of ['trialing', 'expired', 'cancelled'] as const)
    it(`${status}: a paid period begins at once and is charged whole`, () => {
      const change = decide({ status, from: { monthlyPriceMinor: 99_000 } });
      assert.deepEqual([change.direction, change.effectiveAt], ['up', now]);
      assert.deepEqual(change.newPeriod, { start: now, end: new Date('2026-04-22T12:00:00.000Z') });
      assert.deepEqual(amounts(change), [['plan', 62_000]]);
      assert.deepEqual([change.lines[0]?.periodStart, change.lines[0]?.periodEnd], [now, change.newPeriod?.end]);
    });

  for (const status of ['active', 'past_due', 'suspended'] as const)
    it(`not from ${status}`, () => assert.equal(decide({ status }).newPeriod, null));
});

describe('what exceeds the new terms', () => {
  const down = { from: scale, to: growth };
  for (const [name, change, exceeds] of [
    ['nothing at the limits', { ...down, used: { clients: 25, seats: 5 } }, []],
    ['clients', { ...down, used: { clients: 26, seats: 5 } }, [{ what: 'clients', used: 26, limit: 25 }]],
    ['seats', { ...down, used: { clients: 1, seats: 6 } }, [{ what: 'seats', used: 6, limit: 5 }]],
    ['not seats that were purchased or granted', { ...down, purchasedSeats: 1, grantedSeats: 1, used: { clients: 1, seats: 7 } }, []],
    ['not released seats that are in use', { ...down, purchasedSeats: 2, releasedSeats: 2, used: { clients: 1, seats: 7 } }, []],
    [
      'both',
      { ...down, used: { clients: 30, seats: 9 } },
      [
        { what: 'clients', used: 30, limit: 25 },
        { what: 'seats', used: 9, limit: 5 },
      ],
    ],
    ['not a limit that rises, though more is in use', { used: { clients: 300, seats: 90 } }, []],
    ['a smaller limit at a higher price', { to: { includedClients: 2 } }, [{ what: 'clients', used: 3, limit: 2 }]],
  ] as const)
    it(name, () => assert.deepEqual(decide(change).exceeds, exceeds));
});

describe('what recurs from the next period on', () => {
  it('counts the seats that are left after a release', () => {
    const seats = { from: scale, to: growth, purchasedSeats: 4, releasedSeats: 3 };
    assert.equal(decide(seats).nextMonthlyMinor, 31_000 + 1_550);
    assert.equal(decide({ ...seats, used: { clients: 1, seats: 8 } }).nextMonthlyMinor, 31_000 + 3 * 1_550);
  });
});

describe('any change', () => {
  const amount = fc.nat(100_000);
  const termsOf = fc.record({
    monthlyPriceMinor: amount,
    seatPriceMinor: fc.nat(5_000),
    includedSeats: fc.integer({ min: 1, max: 50 }),
    includedClients: fc.nat(50),
    monthlyCredits: amount,
  });
  const some = fc.record({
    from: termsOf,
    to: termsOf,
    purchasedSeats: fc.nat(20),
    grantedSeats: fc.nat(5),
    releasedSeats: fc.nat(20),
    now: fc.integer({ min: march.start.getTime(), max: march.end.getTime() - 1 }).map((time) => new Date(time)),
    used: fc.record({ clients: fc.nat(60), seats: fc.nat(80) }),
  });

  it('charges at once only for more, never takes back more than it charges but for rounding, and adds up', () => {
    fc.assert(
      fc.property(some, (input) => {
        const change = decide(input);
        assert.equal(
          change.dueNowMinor,
          change.lines.reduce((sum, line) => sum + line.amountMinor, 0),
        );
        if (change.direction === 'up') assert.ok(change.dueNowMinor >= -2 && change.effectiveAt === input.now);
        else assert.equal(change.lines.length, 0);
      }),
    );
  });

  it('is down when its reverse is up by price', () => {
    fc.assert(
      fc.property(some, ({ from, to, ...rest }) => {
        const there = decide({ ...rest, from, to });
        const back = decide({ ...rest, from: to, to: from });
        const price = ({ monthlyPriceMinor, seatPriceMinor }: typeof from) => monthlyPriceMinor + seatPriceMinor * rest.purchasedSeats;
        if (price(from) !== price(to)) assert.notEqual(there.direction, back.direction);
      }),
    );
  });

  it('exceeds nothing when every limit holds what is used', () => {
    fc.assert(
      fc.property(some, (input) => {
        const { exceeds } = decide(input);
        const seats = input.to.includedSeats + input.grantedSeats + input.purchasedSeats;
        if (input.used.clients <= input.to.includedClients && input.used.seats <= seats) assert.deepEqual(exceeds, []);
        for (const { used, limit } of exceeds) assert.ok(used > limit);
      }),
    );
  });
});
