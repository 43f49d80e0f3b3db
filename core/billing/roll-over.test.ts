import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EndedPeriod, needsUse, rollOver } from './roll-over.ts';
import type { PlanTerms } from './terms.ts';

const at = (text: string): Date => new Date(`${text}T00:00:00.000Z`);
const terms = (change: Partial<PlanTerms> = {}): PlanTerms => ({
  monthlyPriceMinor: 2_900,
  currency: 'USD',
  seatPriceMinor: 500,
  includedSeats: 3,
  includedClients: 10,
  monthlyCredits: 1_000,
  features: { sso: false, chatbot: false, customTemplates: false, aiPlatformKeys: false, customDomain: false, auditRetentionDays: 365 },
  ...change,
});
const ENDED: EndedPeriod = {
  status: 'active',
  period: { start: at('2026-01-31'), end: at('2026-02-28') },
  anchor: at('2026-01-31'),
  present: { planName: 'Growth', terms: terms() },
  pending: null,
  cancelAt: null,
  purchasedSeats: 4,
  purchasedBeyond: null,
  grantedSeats: 1,
  releasedSeats: 0,
  deletionApproved: false,
  used: { clients: 5, seats: 6 },
};
const SMALL = { planName: 'Small', terms: terms({ monthlyPriceMinor: 900, includedSeats: 2, includedClients: 5 }) };

/** Rolls over and returns what matters of a period that goes on. */
function next(change: Partial<EndedPeriod>) {
  const result = rollOver({ ...ENDED, ...change });
  assert.ok(result.kind === 'continued');
  const { period, change: applied, purchasedSeats, lines } = result;
  return {
    end: period.end.toISOString().slice(0, 10),
    change: applied,
    purchasedSeats,
    lines: lines.map((line) => [line.description, line.amountMinor]),
  };
}

describe('the end of a period', () => {
  it('charges the next one in advance, up to the day of the anchor', () => {
    const charged = [
      ['Growth', 2_900],
      ['Extra seats', 2_000],
    ];
    assert.deepEqual(next({}), { end: '2026-03-31', change: 'none', purchasedSeats: 4, lines: charged });
    for (const status of ['past_due', 'suspended'] as const) assert.deepEqual(next({ status }).lines, charged);
    assert.deepEqual(next({ status: 'trialing' }).lines, []);
  });

  for (const [what, change, purchasedSeats] of [
    ['released seats that are free', { releasedSeats: 2 }, 2],
    ['no more seats than are free', { releasedSeats: 4 }, 2],
    ['all of them when none is used', { releasedSeats: 4, used: { clients: 5, seats: 0 } }, 0],
    ['none when all are used', { releasedSeats: 3, used: { clients: 5, seats: 8 } }, 4],
    ['none when more than all are used', { releasedSeats: 3, used: { clients: 5, seats: 11 } }, 4],
  ] as const)
    it(`ends ${what}`, () => {
      const found = next(change);
      assert.equal(found.purchasedSeats, purchasedSeats);
      assert.deepEqual(found.lines.slice(1), purchasedSeats === 0 ? [] : [['Extra seats', purchasedSeats * 500]]);
    });

  it('charges nothing while the deletion of the account is approved', () => {
    assert.deepEqual([next({ deletionApproved: true }).lines, next({}).lines.length > 0], [[], true]);
  });

  it('applies the terms that wait when they fit, before seats are released', () => {
    const found = next({ pending: SMALL, releasedSeats: 4 });
    assert.deepEqual([found.change, found.purchasedSeats, found.lines[0]], ['applied', 3, ['Small', 900]]);
  });

  it('bills no purchased seat that the terms which waited include', () => {
    const large = { planName: 'Large', terms: terms({ monthlyPriceMinor: 800, includedSeats: 6 }) };
    const found = next({ pending: large });
    assert.deepEqual(
      [found.purchasedSeats, found.lines],
      [
        1,
        [
          ['Large', 800],
          ['Extra seats', 500],
        ],
      ],
    );
    // Released seats end as well, as far as they are free.
    assert.equal(next({ pending: large, releasedSeats: 4, used: { clients: 5, seats: 8 } }).purchasedSeats, 1);
    assert.equal(next({ pending: large, releasedSeats: 4, used: { clients: 5, seats: 6 } }).purchasedSeats, 0);
  });

  it('bills no purchased seat that terms of this period included, as far as it is free', () => {
    const now = { present: { planName: 'Large', terms: terms({ includedSeats: 6 }) }, purchasedBeyond: 3 };
    assert.equal(next(now).purchasedSeats, 1);
    assert.equal(next({ ...now, used: { clients: 5, seats: 10 } }).purchasedSeats, 3);
    // 2 are included of the terms that follow, 3 were when the seats were bought.
    assert.equal(next({ ...now, pending: SMALL }).purchasedSeats, 4);
    assert.equal(next({ ...now, releasedSeats: 1, used: { clients: 5, seats: 6 } }).purchasedSeats, 0);
  });

  it('keeps the present terms when the waiting ones no longer fit, and says what exceeds', () => {
    const found = next({ pending: SMALL, used: { clients: 7, seats: 8 } });
    assert.deepEqual(found.change, {
      refused: [
        { what: 'clients', used: 7, limit: 5 },
        { what: 'seats', used: 8, limit: 7 },
      ],
    });
    assert.deepEqual(found.lines[0], ['Growth', 2_900]);
  });

  it('ends a subscription that is cancelled by then, and no other', () => {
    assert.deepEqual(rollOver({ ...ENDED, cancelAt: at('2026-02-28') }), { kind: 'ended', purchasedSeats: 4 });
    assert.deepEqual(rollOver({ ...ENDED, cancelAt: at('2026-02-01'), pending: SMALL }), { kind: 'ended', purchasedSeats: 4 });
    assert.equal(rollOver({ ...ENDED, cancelAt: at('2026-03-31') }).kind, 'continued');
  });

  it('of a cancelled subscription ends released seats as far as they are free, and none that terms of this period include', () => {
    const ended = { ...ENDED, cancelAt: ENDED.period.end };
    assert.deepEqual(rollOver({ ...ended, releasedSeats: 1 }), { kind: 'ended', purchasedSeats: 3 });
    assert.deepEqual(rollOver({ ...ended, releasedSeats: 4 }), { kind: 'ended', purchasedSeats: 2 });
    assert.deepEqual(rollOver({ ...ended, releasedSeats: 1, purchasedBeyond: 1 }), { kind: 'ended', purchasedSeats: 3 });
  });

  it('depends on what is in use only when terms wait or purchased seats may end', () => {
    const none = { pending: null, releasedSeats: 0, purchasedBeyond: null };
    const changes = [{}, { pending: SMALL }, { releasedSeats: 1 }, { purchasedBeyond: 3 }];
    assert.deepEqual(
      changes.map((change) => needsUse({ ...none, ...change })),
      [needsUse(ENDED), true, true, true],
    );
    assert.equal(needsUse(ENDED), false);
  });
});
