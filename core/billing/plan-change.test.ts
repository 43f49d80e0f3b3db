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

/** A period charged at the price that the plan has. */
const chargedOn = ({ monthlyPriceMinor, seatPriceMinor }: PlanTerms, quantity = 0) => ({
  planMinor: monthlyPriceMinor,
  seats: quantity === 0 ? [] : [{ quantity, unitPriceMinor: seatPriceMinor }],
});

const decide = (change: Partial<Omit<PlanChangeInput, 'from' | 'to'>> & { from?: Partial<PlanTerms>; to?: Partial<PlanTerms> } = {}) =>
  planChange({
    now,
    status: 'active',
    period: march,
    charged: chargedOn({ ...growth, ...change.from }, change.purchasedSeats),
    pending: null,
    keepsPending: false,
    purchasedSeats: 0,
    purchasedBeyond: null,
    releasedSeats: 0,
    grantedSeats: 0,
    isCancelled: false,
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
    ['the same price, and a flag that opens nothing', {}, { ...growth, features: { ...features, customTemplates: true } }, 0, 'same'],
    ['the same price and a feature less', {}, { ...growth, features: { ...features, chatbot: false } }, 0, 'down'],
    ['the same price, more clients and fewer seats', {}, { ...growth, includedClients: 30, includedSeats: 4 }, 0, 'down'],
    ['the same price and shorter audit retention', {}, { ...growth, features: { ...features, auditRetentionDays: 90 } }, 0, 'down'],
    ['the same terms', {}, growth, 3, 'same'],
    ['another seat price without purchased seats', {}, { ...growth, seatPriceMinor: 900 }, 0, 'up'],
    ['a higher seat price with purchased seats', {}, { ...growth, seatPriceMinor: 1_551 }, 1, 'up'],
    ['a lower seat price with purchased seats', {}, { ...growth, seatPriceMinor: 1_549 }, 1, 'down'],
    ['a higher fee, but less with all seats', {}, { ...growth, monthlyPriceMinor: 31_500, seatPriceMinor: 1_000 }, 1, 'down'],
    ['a higher fee that includes the purchased seats', {}, { ...growth, monthlyPriceMinor: 31_500, includedSeats: 15 }, 10, 'up'],
    [
      'a higher fee that includes the purchased seats, each for less',
      {},
      { ...growth, monthlyPriceMinor: 31_500, includedSeats: 15, seatPriceMinor: 1 },
      10,
      'up',
    ],
    ['the same price that includes the purchased seats', {}, { ...growth, includedSeats: 6 }, 1, 'up'],
    ['a lower fee that includes the purchased seats', {}, { ...growth, monthlyPriceMinor: 30_999, includedSeats: 15 }, 10, 'down'],
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
    const seats = { purchasedSeats: 2, from: { includedSeats: 15 } };
    assert.deepEqual(amounts(decide({ ...seats, to: { seatPriceMinor: 3_100 } })), [
      ['plan_credit', -10_000],
      ['plan', 20_000],
      ['plan_credit', -1_000],
      ['seats', 2_000],
    ]);
    assert.deepEqual(amounts(decide(seats)), [
      ['plan_credit', -10_000],
      ['plan', 20_000],
    ]);
  });

  it('bills purchased seats that the new terms include no more from the next period on, and credits none of them', () => {
    const seats = { purchasedSeats: 12, to: { seatPriceMinor: 3_100 } };
    // 5 seats and 12 purchased ones become 15 and 2. The price of those 2 changes at once.
    const change = decide(seats);
    assert.deepEqual(amounts(change), [
      ['plan_credit', -10_000],
      ['plan', 20_000],
      ['plan_credit', -1_000],
      ['seats', 2_000],
    ]);
    assert.deepEqual([change.purchasedSeats, change.nextMonthlyMinor], [{ before: 12, after: 2 }, 62_000 + 2 * 3_100]);
    const all = decide({ purchasedSeats: 2, to: { seatPriceMinor: 3_100 } });
    assert.deepEqual(amounts(all), [
      ['plan_credit', -10_000],
      ['plan', 20_000],
    ]);
    assert.deepEqual([all.purchasedSeats, all.nextMonthlyMinor, all.nextChargeAt], [{ before: 2, after: 0 }, 62_000, march.end]);
  });

  it('credits what was charged, not what the plan costs meanwhile, and nothing of a period that was not charged', () => {
    const found = [62_000, 31_000, 15_500, 0].map((planMinor) => {
      const change = decide({ from: { monthlyPriceMinor: 46_500 }, charged: { planMinor, seats: [] } });
      return [change.direction, amounts(change), change.dueNowMinor];
    });
    assert.deepEqual(found, [
      [
        'up',
        [
          ['plan_credit', -20_000],
          ['plan', 20_000],
        ],
        0,
      ],
      [
        'up',
        [
          ['plan_credit', -10_000],
          ['plan', 20_000],
        ],
        10_000,
      ],
      [
        'up',
        [
          ['plan_credit', -5_000],
          ['plan', 20_000],
        ],
        15_000,
      ],
      ['up', [['plan', 20_000]], 20_000],
    ]);
  });

  it('credits no more than it charges though the price was lowered since it was charged', () => {
    const change = decide({ charged: { planMinor: 93_000, seats: [] } });
    assert.deepEqual(amounts(change), [
      ['plan_credit', -20_000],
      ['plan', 20_000],
    ]);
  });

  it('changes no price of the period when the change leaves the price as it is', () => {
    const change = decide({ to: { ...growth, includedClients: 99 }, charged: { planMinor: 93_000, seats: [] } });
    assert.deepEqual([change.direction, change.lines], ['up', []]);
  });

  it('credits purchased seats at the prices at which they were bought, the latest first', () => {
    const seats = [
      { quantity: 1, unitPriceMinor: 3_100 },
      { quantity: 4, unitPriceMinor: 1_550 },
    ];
    const change = decide({
      purchasedSeats: 5,
      from: { includedSeats: 15 },
      to: { seatPriceMinor: 6_200, includedSeats: 17 },
      charged: { planMinor: 31_000, seats },
    });
    assert.deepEqual(
      change.lines.map(({ kind, quantity, amountMinor }) => [kind, quantity, amountMinor]),
      [
        ['plan_credit', 1, -10_000],
        ['plan', 1, 20_000],
        ['plan_credit', 1, -1_000],
        ['plan_credit', 2, -1_000],
        ['seats', 3, 6_000],
      ],
    );
  });

  it('bills those of them that are in use beyond the included ones', () => {
    const change = decide({
      purchasedSeats: 12,
      purchasedBeyond: 5,
      from: scale,
      to: { monthlyPriceMinor: 70_000 },
      used: { clients: 3, seats: 20 },
    });
    assert.deepEqual(change.purchasedSeats, { before: 5, after: 5 });
  });

  it('keeps the terms that wait, and says what is billed on them, when only the overrides change', () => {
    const pending = { planName: 'Growth', terms: growth };
    const change = { from: scale, to: { monthlyCredits: 60_000 }, purchasedSeats: 2, purchasedBeyond: 5, pending };
    const found = [true, false].map((keepsPending) => decide({ ...change, keepsPending }));
    assert.deepEqual(
      found.map(({ direction, purchasedSeats, nextMonthlyMinor }) => [direction, purchasedSeats, nextMonthlyMinor]),
      [
        ['up', { before: 2, after: 2 }, 31_000 + 2 * 1_550],
        ['up', { before: 2, after: 0 }, 62_000],
      ],
    );
  });

  it('is invoiced at the end of the period', () => {
    assert.deepEqual([decide().invoicedAt, decide({ from: scale, to: growth }).invoicedAt], [march.end, null]);
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

describe('a change that is undone before the period ends', () => {
  it('bills the seats again that the terms in between included', () => {
    const undone = decide({ from: scale, to: growth, purchasedSeats: 2, purchasedBeyond: growth.includedSeats });
    assert.deepEqual(
      [undone.direction, undone.effectiveAt, undone.purchasedSeats, undone.nextMonthlyMinor],
      ['down', march.end, { before: 0, after: 2 }, 31_000 + 2 * 1_550],
    );
  });

  it('at once neither charges nor credits them: they are paid until the period ends', () => {
    const dear = { ...growth, monthlyPriceMinor: 70_000, seatPriceMinor: 9_000 };
    const undone = decide({ from: scale, to: dear, purchasedSeats: 2, purchasedBeyond: growth.includedSeats });
    assert.deepEqual(
      [undone.direction, amounts(undone), undone.nextMonthlyMinor],
      [
        'up',
        [
          ['plan_credit', -20_000],
          ['plan', 22_581],
        ],
        70_000 + 2 * 9_000,
      ],
    );
  });

  it('fits as long as the included and all purchased seats hold who is there', () => {
    const undone = { from: scale, to: growth, purchasedSeats: 2, purchasedBeyond: growth.includedSeats };
    assert.deepEqual(decide({ ...undone, used: { clients: 1, seats: 7 } }).exceeds, []);
    assert.deepEqual(decide({ ...undone, used: { clients: 1, seats: 8 } }).exceeds, [{ what: 'seats', used: 8, limit: 7 }]);
  });
});

describe('from a trial or an ended subscription', () => {
  for (const status of ['trialing', 'expired', 'cancelled'] as const)
    it(`${status}: a paid period begins at once and is charged whole`, () => {
      const change = decide({ status, from: { monthlyPriceMinor: 99_000 } });
      assert.deepEqual([change.direction, change.effectiveAt], ['up', now]);
      assert.deepEqual(change.newPeriod, { start: now, end: new Date('2026-04-22T12:00:00.000Z') });
      assert.deepEqual(amounts(change), [['plan', 62_000]]);
      assert.deepEqual([change.lines[0]?.periodStart, change.lines[0]?.periodEnd, change.invoicedAt], [now, change.newPeriod?.end, now]);
      assert.deepEqual(change.nextChargeAt, now);
      // Seats from before that the new terms do not include go on.
      assert.deepEqual(
        decide({ status, purchasedSeats: 12 }).lines.map(({ kind, quantity }) => [kind, quantity]),
        [
          ['plan', 1],
          ['seats', 2],
        ],
      );
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
    assert.deepEqual(decide(seats).billedSeats, { before: 1, after: 1 }, 'the seats of that price');
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
    purchasedBeyond: fc.option(fc.integer({ min: 1, max: 50 })),
    grantedSeats: fc.nat(5),
    isCancelled: fc.boolean(),
    releasedSeats: fc.nat(20),
    now: fc.integer({ min: march.start.getTime(), max: march.end.getTime() - 1 }).map((time) => new Date(time)),
    used: fc.record({ clients: fc.nat(60), seats: fc.nat(80) }),
  });

  it('charges at once only for more, never takes back more than it charges, and adds up', () => {
    fc.assert(
      fc.property(some, (input) => {
        const change = decide(input);
        assert.equal(
          change.dueNowMinor,
          change.lines.reduce((sum, line) => sum + line.amountMinor, 0),
        );
        if (change.direction === 'up') assert.ok(change.dueNowMinor >= 0 && change.effectiveAt === input.now);
        else assert.equal(change.lines.length, 0);
        if (change.withdrawsCancellation) assert.ok(input.isCancelled && change.direction !== 'same' && change.newPeriod === null);
      }),
    );
  });

  it('is down when its reverse is up by price, with a price of a seat that stays', () => {
    fc.assert(
      fc.property(some, ({ from, to, ...rest }) => {
        const there = decide({ ...rest, from, to: { ...to, seatPriceMinor: from.seatPriceMinor } });
        const back = decide({ ...rest, from: { ...to, seatPriceMinor: from.seatPriceMinor }, to: from });
        if (from.monthlyPriceMinor < to.monthlyPriceMinor) assert.deepEqual([there.direction, back.direction], ['up', 'down']);
      }),
    );
  });

  it('is up with a higher fee when the new terms include all purchased seats', () => {
    fc.assert(
      fc.property(some, ({ from, to, ...rest }) => {
        const more = {
          ...to,
          monthlyPriceMinor: from.monthlyPriceMinor + 1 + to.monthlyPriceMinor,
          includedSeats: from.includedSeats + rest.purchasedSeats,
        };
        const purchasedBeyond = rest.purchasedBeyond === null ? null : Math.min(rest.purchasedBeyond, from.includedSeats);
        const change = decide({ ...rest, purchasedBeyond, used: { clients: 0, seats: 0 }, from, to: more });
        assert.deepEqual([change.direction, change.purchasedSeats.after], ['up', 0]);
      }),
    );
  });

  it('leaves as many seats as before unless fewer are included, and bills none that is included and free', () => {
    fc.assert(
      fc.property(some, (input) => {
        const { to, purchasedSeats, grantedSeats, used } = input;
        const beyond = input.purchasedBeyond ?? input.from.includedSeats;
        const { after } = decide(input).purchasedSeats;
        const needed = used.seats - to.includedSeats - grantedSeats;
        assert.ok(after >= 0 && after <= purchasedSeats);
        assert.ok(after >= Math.min(purchasedSeats, needed));
        if (after > Math.max(0, needed)) assert.equal(after, Math.min(purchasedSeats, beyond + purchasedSeats - to.includedSeats));
        assert.ok(to.includedSeats + after >= Math.min(beyond, to.includedSeats) + purchasedSeats);
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
