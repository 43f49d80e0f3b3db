import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoiceListQuery } from '../../queries/invoice-filters.ts';
import { filtersOf, parseInvoiceSearch } from './invoice-search.ts';

const ID = '0199a3b2-1111-7222-8333-444455556666';
const NOW = new Date('2026-11-18T20:32:06.000Z');

test('keeps what is a filter of invoices and drops anything else', () => {
  const search = { show: 'draft', time: '90d', partner: ID, invoice: ID };
  assert.deepEqual(parseInvoiceSearch(search), search);
  assert.deepEqual(parseInvoiceSearch({ show: 'lost', time: '3d', partner: 'x', invoice: 7 }), {});
});

test('overdue is a filter of its own, every state is none', () => {
  assert.deepEqual(invoiceListQuery(filtersOf({ show: 'overdue' }, NOW)), { overdue: 'true' });
  assert.deepEqual(filtersOf({ show: 'void', partner: ID }, NOW), { status: 'void', partnerId: ID });
  assert.deepEqual(filtersOf({ show: 'all' }, NOW), {});
});

test('a span begins at midnight, days ago', () => {
  assert.deepEqual(filtersOf({ time: '30d' }, NOW), { from: '2026-10-19T00:00:00.000Z' });
});
