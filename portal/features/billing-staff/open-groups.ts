import type { Invoice } from '../../queries/billing.ts';

export const GROUPS = ['overdue', 'draft', 'issued'] as const;
export type Group = (typeof GROUPS)[number];

/** Rows of one list, and when it was read, in milliseconds since the epoch. */
type ReadList = { rows: readonly Invoice[]; readAt: number };

/**
 * Splits open invoices into the groups of the page. The lists are read one by one, so an invoice that changes its state may be in two of them;
 * the list that was read last decides.
 */
export function openGroups(lists: Record<Group, ReadList>): Record<Group, Invoice[]> {
  const newest = new Map<string, { invoice: Invoice; readAt: number }>();
  for (const name of GROUPS) {
    const { rows, readAt } = lists[name];
    for (const invoice of rows) if (readAt > (newest.get(invoice.id)?.readAt ?? -1)) newest.set(invoice.id, { invoice, readAt });
  }
  const groups: Record<Group, Invoice[]> = { overdue: [], draft: [], issued: [] };
  for (const { invoice } of newest.values())
    if (invoice.status === 'draft' || invoice.overdueDays > 0 || invoice.kind === 'invoice') groups[groupOf(invoice)].push(invoice);
  groups.overdue.sort((a, b) => b.overdueDays - a.overdueDays);
  return groups;
}

export function groupOf({ overdueDays, status }: Invoice): Group {
  return overdueDays > 0 ? 'overdue' : status === 'draft' ? 'draft' : 'issued';
}
