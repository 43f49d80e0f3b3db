import { paperOfCountry } from '../place/paper.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { InvoiceKind, InvoiceStatus } from '@partner-portal/contract/vocabulary.ts';
import { creditTax, dueDate, type InvoiceAction, invoiceNumber, overdueDays, overdueSince, refusedAction } from './invoice.ts';
import { taxOn } from './money.ts';

const DUE = new Date('2026-12-07T10:00:00.000Z');
const hoursLater = (hours: number): Date => new Date(DUE.getTime() + hours * 3_600_000);

describe('an invoice number', () => {
  it('has the year and six digits or more', () => {
    assert.deepEqual(
      [invoiceNumber(2026, 1), invoiceNumber(2026, 123), invoiceNumber(2027, 1_000_000)],
      ['2026-000001', '2026-000123', '2027-1000000'],
    );
  });
});

describe('what an invoice allows', () => {
  /** Kind and status, and the actions that are not refused. */
  const cases: [InvoiceKind, InvoiceStatus, InvoiceAction[]][] = [
    ['invoice', 'draft', ['issue', 'void']],
    ['invoice', 'issued', ['pay', 'void', 'credit', 'print']],
    ['invoice', 'paid', ['credit', 'print']],
    ['invoice', 'void', ['print']],
    ['credit_note', 'issued', ['print']],
  ];
  for (const [kind, status, allowed] of cases)
    it(`${kind}, ${status}: ${allowed.join(', ')}`, () => {
      const state = { kind, status, number: status === 'draft' ? null : '2026-000001', hasCreditNotes: false };
      const all: InvoiceAction[] = ['issue', 'pay', 'void', 'credit', 'print'];
      assert.deepEqual(
        all.filter((action) => refusedAction(action, state) === null),
        allowed,
      );
      for (const action of all) assert.match(refusedAction(action, state) ?? 'Allowed.', /^[A-Z].*\.$/);
    });

  it('is not voided once a credit note corrects it, and not printed when a draft was voided', () => {
    const state = { kind: 'invoice', status: 'issued', number: '2026-000001' } as const;
    assert.match(refusedAction('void', { ...state, hasCreditNotes: true }) ?? '', /Credit the rest/);
    assert.match(refusedAction('print', { ...state, status: 'void', number: null, hasCreditNotes: false }) ?? '', /draft/);
  });
});

describe('an overdue invoice', () => {
  const open = { owedMinor: 1, dueAt: DUE };

  it('is counted in whole days since the due date', () => {
    const counted = [-72, 0, 23.99, 24, 47, 24 * 14].map((hours) => overdueDays(open, hoursLater(hours)));
    assert.deepEqual(counted, [0, 0, 0, 1, 1, 14]);
  });

  it('is so from the first whole day on, in the list as in the count', () => {
    for (const hours of [0, 23.99, 24, 30]) {
      const now = hoursLater(hours);
      assert.equal(DUE <= overdueSince(now), overdueDays(open, now) > 0, String(hours));
    }
  });

  it('owes something, and has a due date', () => {
    const late = hoursLater(1_000);
    assert.deepEqual([overdueDays({ ...open, owedMinor: 0 }, late), overdueDays({ ...open, dueAt: null }, late)], [0, 0]);
    assert.equal(overdueDays(open, late), 41);
  });

  it('is due as many days after its issue as the terms of payment say', () => {
    assert.deepEqual(dueDate(new Date('2026-11-23T10:00:00.000Z'), 14), DUE);
  });
});

describe('the tax of credit notes', () => {
  it('is rounded over all of them, so that a fully credited invoice keeps none', () => {
    // 10 % of 15 is 2 (half to even), of 5 and 10 alone 0 and 1.
    assert.deepEqual([creditTax(0, 5, 1_000), creditTax(5, 10, 1_000), taxOn(15, 1_000)], [0, 2, 2]);
  });

  it('sums to the tax of the invoice however it is split', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 1_000_000_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 10_000 }), (amounts, rate) => {
        let earlier = 0;
        let tax = 0;
        for (const amount of amounts) {
          const part = creditTax(earlier, amount, rate);
          assert.ok(part >= 0);
          tax += part;
          earlier += amount;
        }
        assert.equal(tax, taxOn(earlier, rate));
      }),
    );
  });
});

describe('the paper', () => {
  it('is Letter where it is used, and A4 elsewhere or unknown', () => {
    for (const country of ['US', 'CA', 'MX', 'PH', 'CO', 'CL']) assert.equal(paperOfCountry(country), 'Letter', country);
    for (const country of ['DE', 'GR', 'JP', 'BR', 'GB', null]) assert.equal(paperOfCountry(country), 'A4', String(country));
  });
});
