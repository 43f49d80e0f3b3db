import { describeAuditEntry } from '@partner-portal/core/audit/sentence.ts';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/feedback/badge.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { AuditEntry } from './queries.ts';
import '../../ui/table/table.css';

/** Columns: a sentence on who did what, then where and when. `agency` adds the partner for staff. */
export function auditColumns(scope: { agency: boolean; client: boolean }): Column<AuditEntry>[] {
  return [
    {
      key: 'what',
      head: 'What happened',
      lead: 'wide',
      cell: (entry) => (
        <div className="max-md:py-1.5">
          <Link
            to="."
            search={(before: Record<string, unknown>) => ({ ...before, entry: entry.id })}
            replace
            resetScroll={false}
            className="inline-block max-w-full overflow-hidden align-bottom text-ellipsis max-md:py-0.5 max-md:whitespace-normal hover:underline"
          >
            <Sentence entry={entry} />
          </Link>
          <span className="table-second-line table-phone-line">
            {[entry.result === 'refused' ? 'Refused' : null, entry.clientName, scope.agency ? entry.partnerName : null]
              .filter(Boolean)
              .join(', ')}
          </span>
        </div>
      ),
    },
    {
      key: 'result',
      head: <span className="sr-only">Result</span>,
      hide: 'phone',
      cell: (entry) => (entry.result === 'refused' ? <Badge mark="bad">Refused</Badge> : null),
    },
    ...(scope.agency
      ? [
          {
            key: 'agency',
            head: 'Agency',
            hide: 'phone',
            cell: (entry) => <span className="text-ink-2">{entry.partnerName}</span>,
          } satisfies Column<AuditEntry>,
        ]
      : []),
    ...(scope.client
      ? [
          {
            key: 'client',
            head: 'Client',
            hide: 'phone',
            cell: (entry) => <span className="text-ink-2">{entry.clientName ?? '–'}</span>,
          } satisfies Column<AuditEntry>,
        ]
      : []),
    { key: 'at', head: 'When', align: 'end', cell: (entry) => <Time iso={entry.at} className="text-ink-2" /> },
  ];
}

export function Sentence({ entry }: { entry: AuditEntry }) {
  const { who, what } = describeAuditEntry(entry);
  return (
    <>
      <b className="font-semibold">{who}</b> {what}
    </>
  );
}
