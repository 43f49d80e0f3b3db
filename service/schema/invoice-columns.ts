const LEFT = `i.total_minor
  + coalesce((select sum(c.total_minor) from invoice c where c.credits_invoice_id = i.id and c.number is not null and c.status <> 'void'), 0)`;

/** What `invoice i` still owes, less its credit notes: 0 unless it is an issued invoice (BILL-54). For a statement that shows or compares the amount. */
export const OWED_MINOR = `case when i.status = 'issued' and i.kind = 'invoice' then (${LEFT})::float8 else 0 end`;

/** Whether `invoice i` still owes something. Repeats the condition of the index `invoice_overdue`. */
export const OWES = `i.status = 'issued' and i.kind = 'invoice' and ${LEFT} > 0`;

/** Whether `invoice i` is overdue. `at`: the parameter with `overdueSince` of the moment (core/billing/invoice.ts), such as `$2`. */
export const isOverdueBy = (at: string): string => `${OWES} and i.due_at <= ${at}`;

/** Whether `invoice i` charges something: it is neither void nor credited in full. */
export const CHARGES = `i.kind = 'invoice' and i.status <> 'void' and (i.total_minor = 0 or ${LEFT} > 0)`;
