import type { DeletionRequest, ReactivationRequest } from '../../queries/account.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/time.tsx';
import { DELETION_STATUS, nameOf, REACTIVATION_STATUS } from './words.ts';
import '../../ui/table/table.css';

type Either = DeletionRequest | ReactivationRequest;

/** "Oak Street Dental" over "client of Northwind Studio". */
const account: Column<Either> = {
  key: 'account',
  head: 'Account',
  lead: true,
  cell: (row) => (
    <>
      <span className="font-medium">{row.accountName || 'Deleted account'}</span>
      <span className="table-second-line">{row.scope === 'partner' ? 'Agency' : `Client of ${row.partnerName || 'a deleted agency'}`}</span>
    </>
  ),
};
const requestedBy: Column<Either> = {
  key: 'by',
  head: 'Requested by',
  hide: 'phone',
  cell: (row) => <span className="text-ink-2">{nameOf(row.requestedBy, 'Removed user')}</span>,
};
const requestedAt: Column<Either> = {
  key: 'at',
  head: 'Requested',
  align: 'end',
  cell: (row) => <Time iso={row.createdAt} className="text-ink-2" />,
};

export const DELETION_COLUMNS: Column<DeletionRequest>[] = [
  account,
  {
    key: 'status',
    head: 'Status',
    cell: ({ status }) => <Status mark={DELETION_STATUS[status].mark}>{DELETION_STATUS[status].word}</Status>,
  },
  requestedBy,
  {
    key: 'purge',
    head: 'Removal',
    align: 'end',
    hide: 'phone',
    cell: ({ purgeAfter, completedAt, status }) => {
      const at = completedAt ?? (status === 'approved' ? purgeAfter : null);
      return at ? <span className="text-ink-2">{formatDay(at)}</span> : <span className="text-ink-3">–</span>;
    },
  },
  requestedAt,
];

export const REACTIVATION_COLUMNS: Column<ReactivationRequest>[] = [
  account,
  {
    key: 'status',
    head: 'Status',
    cell: ({ status }) => <Status mark={REACTIVATION_STATUS[status].mark}>{REACTIVATION_STATUS[status].word}</Status>,
  },
  requestedBy,
  requestedAt,
];
