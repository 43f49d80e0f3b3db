import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { overdueQuery } from '../../queries/billing.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { plural } from '../../ui/text/format.ts';

/** Overdue invoices, above the queue: no item of it, since each is settled by a payment. */
export function OverdueNote() {
  const { data } = useQuery(overdueQuery);
  if (!data || data.count === 0) return null;
  const { count, isMore, agencies, longest } = data;
  return (
    <Link
      to="/admin/invoices"
      search={{ show: 'overdue' }}
      className="flex gap-3 border-b border-line bg-bad-wash py-2.25 pr-4 pl-5 hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4"
    >
      <Mark kind="bad" className="mt-0.75" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">
          {isMore
            ? `More than ${plural(count, 'invoice')} are overdue`
            : `${plural(count, 'invoice')} ${count === 1 ? 'is' : 'are'} overdue`}
        </span>
        <span className="block truncate text-ink-2">
          Of {plural(agencies, 'agency', 'agencies')}
          {longest ? `; ${longest.partnerName} for ${plural(longest.overdueDays, 'day')}` : ''}
        </span>
      </span>
    </Link>
  );
}
