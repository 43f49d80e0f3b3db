import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditedMinor, fullCredit } from './credit-lines.ts';

const line = {
  id: '0199a3b2-1111-7222-8333-444455556667',
  kind: 'plan',
  quantity: 1,
  unitPriceMinor: 0,
  periodStart: null,
  periodEnd: null,
  orderId: null,
} as const;
const invoiceOf = (amounts: readonly number[], credited: readonly number[] = []) => ({
  number: '2026-000007',
  currency: 'KWD',
  subtotalMinor: amounts.reduce((sum, amount) => sum + amount, 0),
  lines: amounts.map((amountMinor, at) => ({ ...line, description: `Line ${at}`, amountMinor })),
  creditNotes: credited.map((subtotalMinor) => ({ ...note, subtotalMinor, totalMinor: subtotalMinor })),
});
const note = { id: '0199a3b2-1111-7222-8333-444455556666', number: '2026-000008', issuedAt: null };
const described = (lines: ReturnType<typeof fullCredit>) => lines.map(({ description, price }) => [description, price]);

test('an invoice is credited line by line, or as one sum when it has credits or more lines than a note', () => {
  assert.deepEqual(described(fullCredit(invoiceOf([9_900, 0, 1_250]))), [
    ['Line 0', '9.900'],
    ['Line 2', '1.250'],
  ]);
  assert.deepEqual(described(fullCredit(invoiceOf([9_900, -400]))), [['Invoice 2026-000007', '9.500']]);
  assert.deepEqual(described(fullCredit(invoiceOf(Array.from({ length: 51 }, () => 1_000)))), [['Invoice 2026-000007', '51']]);
});

test('an invoice of which a part was credited is credited by the rest, before tax', () => {
  const lines = fullCredit(invoiceOf([9_900, 1_250], [-4_900, -1_000]));
  assert.deepEqual(described(lines), [['Rest of invoice 2026-000007', '5.250']]);
  assert.equal(creditedMinor(lines, 'KWD'), 5_250);
});
