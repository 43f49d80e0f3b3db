import { FIELD_LABELS } from '@partner-portal/core/client-import/columns.ts';
import { Link } from '@tanstack/react-router';
import type { ImportRow } from './queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { OUTCOMES, UNDONE } from './labels.ts';
import '../../ui/table/table.css';
import './result-table.css';

type Props = {
  rows: readonly ImportRow[];
  /** Whether this is what would happen. */
  isPlan: boolean;
  hasMore: boolean;
  isLoading?: boolean;
  onMore: () => void;
};

/** What became of each row, with the bad cell marked. */
export function ResultTable({ rows, isPlan, hasMore, isLoading, onMore }: Props) {
  return (
    <Table
      label="Rows of the file"
      columns={columnsOf(isPlan)}
      rows={rows}
      rowKey={(row) => String(row.row)}
      foot={
        <div className="flex items-center gap-3 px-0.5 py-3.5">
          <span className="tabular-nums text-ink-3">
            {hasMore ? `Showing the first ${formatNumber(rows.length)}` : `Showing all ${formatNumber(rows.length)}`}
          </span>
          {hasMore ? (
            <Button size="sm" onClick={onMore} busy={isLoading && 'Loading'}>
              Show more
            </Button>
          ) : null}
        </div>
      }
    />
  );
}

function columnsOf(isPlan: boolean): Column<ImportRow>[] {
  return [
    { key: 'row', head: 'Row', align: 'end', cell: (row) => formatNumber(row.row) },
    {
      key: 'name',
      head: 'Client',
      lead: true,
      cell: (row) => (
        <>
          {row.clientId === null ? (
            row.name || <span className="text-ink-3">No name</span>
          ) : (
            <Link to="/dashboard/clients/$id" params={{ id: row.clientId }}>
              {row.name}
            </Link>
          )}
          {row.reason || row.undoReason ? (
            <span className="table-second-line table-phone-line result-table-remark">
              <Remark row={row} />
            </span>
          ) : null}
        </>
      ),
    },
    { key: 'outcome', head: 'Result', cell: (row) => <Outcome row={row} isPlan={isPlan} /> },
    { key: 'remark', head: 'Why', lead: 'wide', hide: 'phone', cell: (row) => <Remark row={row} /> },
  ];
}

function Outcome({ row, isPlan }: { row: ImportRow; isPlan: boolean }) {
  if (row.undo) return <Status mark={UNDONE[row.undo].mark}>{UNDONE[row.undo].word}</Status>;
  const { mark, word, planned } = OUTCOMES[row.outcome];
  return (
    <Status mark={mark} {...(row.outcome === 'refused' ? { tone: 'bad' as const } : {})}>
      {isPlan ? planned : word}
    </Status>
  );
}

function Remark({ row }: { row: ImportRow }) {
  if (row.undoReason) return row.undoReason;
  if (row.reason === null) return <span className="text-ink-3">–</span>;
  return (
    <>
      {row.field ? <span className="text-ink-3">{FIELD_LABELS[row.field]} </span> : null}
      {row.cell ? <mark className="result-table-cell">{row.cell}</mark> : null} {row.reason}
    </>
  );
}
