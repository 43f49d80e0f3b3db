import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlanChange } from '../queries/billing.ts';
import { billingDay } from './billing-labels.ts';
import { planChangeWords } from './plan-change-words.ts';

const NOW = '2026-11-29T09:00:00.000Z';
const END = '2026-12-28T09:00:00.000Z';
/** "28 Dec", with its year once that is not the present one. */
const DAY = billingDay(END);
const UP: PlanChange = {
  direction: 'up',
  effectiveAt: NOW,
  currency: 'USD',
  lines: [],
  dueNowMinor: 69_400,
  invoicedAt: END,
  taxRateBasisPoints: 0,
  purchasedSeats: { before: 0, after: 0 },
  nextMonthlyMinor: 99_900,
  nextChargeAt: END,
  withdrawsCancellation: false,
  exceeds: [],
};
const DOWN: PlanChange = { ...UP, direction: 'down', effectiveAt: END, dueNowMinor: 0, invoicedAt: null, nextMonthlyMinor: 9_900 };
const words = (change: Partial<PlanChange>, isRequest = true) => {
  const { lead, rest } = planChangeWords({ ...UP, ...change }, { isRequest });
  return `${lead} ${rest}`;
};

describe('a change of plan says when it takes effect and what is billed when', () => {
  for (const [name, change, asRequest, byStaff] of [
    [
      'up',
      UP,
      `It takes effect as soon as we confirm it. Confirmed today, $694.00 is charged on your invoice of ${DAY}, and the price is $999.00 a month from then on.`,
      `It takes effect at once. $694.00 is charged on the invoice of ${DAY}, and the price is $999.00 a month from then on.`,
    ],
    [
      'up at the same price',
      { ...UP, dueNowMinor: 0, invoicedAt: null },
      'It takes effect as soon as we confirm it. Nothing is charged for it: the price is $999.00 a month.',
      'It takes effect at once. Nothing is charged for it: the price is $999.00 a month.',
    ],
    [
      'up at the same price, with seats that were bought',
      { ...UP, dueNowMinor: 0, invoicedAt: null, purchasedSeats: { before: 2, after: 0 } },
      `It takes effect as soon as we confirm it. Nothing is charged for it, and the price is $999.00 a month from ${DAY} on. From then on the 2 seats bought before are included and are not billed.`,
      `It takes effect at once. Nothing is charged for it, and the price is $999.00 a month from ${DAY} on. From then on the 2 seats bought before are included and are not billed.`,
    ],
    [
      'from a trial',
      { ...UP, dueNowMinor: 99_900, invoicedAt: NOW, nextChargeAt: NOW },
      'It takes effect as soon as we confirm it. A period begins then: $999.00 is invoiced for its first month, and the price is $999.00 a month from then on.',
      'It takes effect at once. A period begins then: $999.00 is invoiced for its first month, and the price is $999.00 a month from then on.',
    ],
    [
      'down',
      DOWN,
      `Confirmed before ${DAY}, it takes effect on that day, when the period ends. Nothing is charged or refunded before, and the price is $99.00 a month from then on.`,
      `It takes effect on ${DAY}, when the period ends. Nothing is charged or refunded before, and the price is $99.00 a month from then on.`,
    ],
  ] as const)
    it(name, () => assert.deepEqual([words(change), words(change, false)], [asRequest, byStaff]));

  it('and names the seats that are not billed any more, or are billed again', () => {
    for (const [before, after, sentence] of [
      [2, 0, 'the 2 seats bought before are included and are not billed.'],
      [1, 0, 'the seat bought before is included and is not billed.'],
      [9, 2, '7 of the 9 seats bought before are included and are not billed.'],
      [3, 2, '1 of the 3 seats bought before is included and is not billed.'],
      [0, 12, 'the 12 seats bought before are not included and are billed.'],
      [0, 1, 'the seat bought before is not included and is billed.'],
      [5, 12, '7 of the 12 seats bought before are not included and are billed.'],
    ] as const)
      assert.ok(words({ purchasedSeats: { before, after } }).endsWith(` from then on. From then on ${sentence}`), sentence);
  });

  it('and that the price has the seats that stay billed in it, which the plan by itself does not show', () => {
    const price = 'and the price is $129.00 a month from then on.';
    for (const [seats, sentence] of [
      [2, 'This is the price of the plan and the 2 seats bought before.'],
      [1, 'This is the price of the plan and the seat bought before.'],
    ] as const)
      assert.ok(
        words({ ...DOWN, nextMonthlyMinor: 12_900, purchasedSeats: { before: seats, after: seats } }).endsWith(`${price} ${sentence}`),
      );
    assert.doesNotMatch(words({ purchasedSeats: { before: 0, after: 0 } }), /seat/);
  });

  it('and that tax comes on top of what is charged', () => {
    assert.match(words({ taxRateBasisPoints: 1_900 }), /\$694\.00 plus 19% tax is charged on your invoice/);
    assert.match(words({ taxRateBasisPoints: 1_900, invoicedAt: NOW }), /\$694\.00 plus 19% tax is invoiced for its first month/);
  });

  it('and that a cancelled subscription goes on with it', () => {
    const sentence = ` With it the subscription goes on and does not end on ${DAY}.`;
    for (const change of [UP, DOWN]) assert.ok(words({ ...change, withdrawsCancellation: true }).endsWith(sentence));
    assert.doesNotMatch(words(UP), /goes on/);
  });

  it('and says what does not fit, or that nothing changes', () => {
    assert.equal(
      words({ exceeds: [{ what: 'clients', used: 11, limit: 10 }] }),
      'Your usage does not fit this plan yet. 11 clients in use, 10 included.',
    );
    assert.equal(words({ direction: 'same' }), 'Nothing changes: the price stays $999.00 a month. ');
  });
});
