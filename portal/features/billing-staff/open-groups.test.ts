import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Invoice } from '../../queries/billing.ts';
import { openGroups } from './open-groups.ts';

const invoice = (id: string, status: Invoice['status'], overdueDays = 0, kind: Invoice['kind'] = 'invoice') =>
  ({ id, status, overdueDays, kind }) as Invoice;

const idsOf = (groups: ReturnType<typeof openGroups>) =>
  Object.fromEntries(Object.entries(groups).map(([name, rows]) => [name, rows.map(({ id, status }) => `${id} ${status}`)]));

const none = { rows: [], readAt: 1 };

describe('open invoices', () => {
  it('that two lists hold are shown once, as the list that was read last has them', () => {
    const before = { rows: [invoice('a', 'draft'), invoice('b', 'draft')], readAt: 1 };
    const after = { rows: [invoice('a', 'issued')], readAt: 2 };
    assert.deepEqual(idsOf(openGroups({ overdue: none, draft: before, issued: after })), {
      overdue: [],
      draft: ['b draft'],
      issued: ['a issued'],
    });
    assert.deepEqual(idsOf(openGroups({ overdue: none, draft: { ...before, readAt: 3 }, issued: after })).draft, ['a draft', 'b draft']);
  });

  it('are overdue or issued by their days, the longest overdue first; credit notes are not open', () => {
    const overdue = { rows: [invoice('a', 'issued', 2), invoice('b', 'issued', 9)], readAt: 1 };
    const issued = { rows: [invoice('c', 'issued'), invoice('b', 'issued', 9), invoice('d', 'issued', 0, 'credit_note')], readAt: 1 };
    assert.deepEqual(idsOf(openGroups({ overdue, draft: none, issued })), {
      overdue: ['b issued', 'a issued'],
      draft: [],
      issued: ['c issued'],
    });
  });
});
