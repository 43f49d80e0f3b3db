import type { ReactNode } from 'react';
import type { Reply } from '../app/api.ts';
import type { Column } from '../ui/table/table.tsx';
import { formatNumber } from '../ui/text/format.ts';
import { Time } from '../ui/text/time.tsx';
import { USAGE_KIND } from './billing-labels.ts';
import '../ui/table/table.css';

export type LedgerEntry = Reply<'listLedger'>['data'][number];

/** A run and its AI tokens share an id. */
export const ledgerKey = ({ id, kind }: LedgerEntry): string => `${id} ${kind}`;

/** The agent or the note of an entry. */
export const ledgerTitle = ({ agentName, note, kind }: LedgerEntry): string => agentName ?? (note || USAGE_KIND[kind]);

/** Columns of the ledger; `title` renders what an entry is about. */
export function ledgerColumns(title: (entry: LedgerEntry) => ReactNode): Column<LedgerEntry>[] {
  return [
    {
      key: 'what',
      head: 'Description',
      lead: true,
      cell: (entry) => (
        <>
          {title(entry)}
          <span className="table-second-line table-phone-line">
            {[USAGE_KIND[entry.kind], entry.clientName].filter(Boolean).join(', ')}
          </span>
        </>
      ),
    },
    { key: 'kind', head: 'Kind', hide: 'phone', cell: (entry) => <span className="text-ink-2">{USAGE_KIND[entry.kind]}</span> },
    { key: 'client', head: 'Client', hide: 'phone', cell: (entry) => <span className="text-ink-2">{entry.clientName ?? '–'}</span> },
    { key: 'at', head: 'Began', align: 'end', cell: (entry) => <Time iso={entry.beganAt} className="text-ink-2" /> },
    {
      key: 'credits',
      head: 'Credits',
      align: 'end',
      cell: (entry) =>
        entry.credits === 0 && entry.kind === 'ai_tokens' ? (
          <span className="text-ink-3">Own key: no credits</span>
        ) : (
          <b className="font-medium">
            {entry.credits > 0 ? '+' : entry.credits < 0 ? '−' : ''}
            {formatNumber(Math.abs(entry.credits))}
          </b>
        ),
    },
  ];
}
