import { ApiError } from '@partner-portal/contract/client.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { codeOf, explain } from '../../app/errors.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { saveFile } from '../../app/save-file.ts';
import { useUser } from '../../app/session.ts';
import { type AccountExport, type AccountRef, exportsQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { announce, announceFailure } from '../../ui/feedback/toast.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { formatBytes, formatLongDay, formatMoment } from '../../ui/text/format.ts';
import { isOpen, useLiveExports } from './use-live-exports.ts';
import { EXPORT_STATUS, nameOf } from './words.ts';
import '../../ui/table/table.css';

type Props = { account: AccountRef; /** Whose data it is, as in "of Oak Street Dental". */ name: string; size?: 'md' | 'lg' };

/** Exports of an account: a new one, its progress, and those of the last days to download. */
export function ExportsPanel({ account, name, size = 'md' }: Props) {
  const isViewing = useIsViewing();
  const user = useUser();
  const refusal = useRefusal('account.manage');
  const isClient = user.role === 'CLIENT';
  if (isViewing) return null;
  return (
    <Section title="Export">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 [[data-interface=client]_&]:pt-4">
        <p className="max-w-[62ch] text-ink-2">
          {isClient
            ? 'A zip file with all data of your business: people, agents and their settings, activity and files.'
            : `A zip file with all data of ${name}: people, agents and their settings, runs with inputs and outputs, usage, files and audit log, as CSV and JSON.`}{' '}
          Keys and passwords are not part of it.
        </p>
        <NewExport account={account} size={size} refusal={refusal} />
      </div>
      {refusal ? null : <History account={account} size={size} />}
    </Section>
  );
}

function NewExport({ account, size, refusal }: { account: AccountRef; size: 'md' | 'lg'; refusal: string | undefined }) {
  const rows = rowsOf(useInfiniteQuery({ ...exportsQuery(account), enabled: refusal === undefined }));
  const isRunning = rows.some((row) => row.scope === account.scope && isOpen(row));
  const create = useMutation({
    mutationFn: () => api.createExport({ body: account }),
    onSuccess: () => announce('Export started.', { detail: 'We e-mail you when it is ready.' }),
    onError: (error) => {
      // How often a day, and when again: the refusal says it.
      const { title, detail, requestId } = explain(error);
      const isTooMany = codeOf(error) === 'rate_limited' && error instanceof ApiError;
      announceFailure({ title, detail: isTooMany ? error.message : detail, requestId, retry: undefined });
    },
    onSettled: () => void refreshAfter('exportsChanged'),
  });
  return (
    <Button
      size={size}
      disabledReason={refusal ?? (isRunning ? 'An export is in progress.' : undefined)}
      busy={create.isPending && 'Starting'}
      onClick={() => create.mutate()}
    >
      Export data
    </Button>
  );
}

function History({ account, size }: { account: AccountRef; size: 'md' | 'lg' }) {
  const [spoken, setSpoken] = useState('');
  const list = useInfiniteQuery(exportsQuery(account));
  useLiveExports(account, (done) => {
    if (done.status === 'ready') announce('Your export is ready.');
    else setSpoken(`The export of ${done.accountName} failed.`);
  });
  return (
    <>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <PagedTable
        list={list}
        label="Exports"
        columns={account.scope === 'partner' ? [LEAD, BY, ACCOUNT, SIZE, action(size)] : [LEAD, BY, SIZE, action(size)]}
        rowKey={({ id }) => id}
        expected={2}
        empty={<EmptyState title="No exports yet">Exports appear here while they are made, and for seven days after that.</EmptyState>}
      />
    </>
  );
}

const LEAD: Column<AccountExport> = {
  key: 'status',
  head: 'Export',
  lead: true,
  cell: (row) => (
    <>
      <span className="inline-block font-medium first-letter:uppercase">{formatMoment(row.createdAt)}</span>
      <span className="table-second-line">
        <State row={row} />
      </span>
    </>
  ),
};
const BY: Column<AccountExport> = {
  key: 'by',
  head: 'Requested by',
  hide: 'phone',
  cell: (row) => <span className="text-ink-2">{nameOf(row.requestedBy, 'Removed user')}</span>,
};
const ACCOUNT: Column<AccountExport> = {
  key: 'account',
  head: 'Data of',
  hide: 'phone',
  cell: (row) => <span className="text-ink-2">{row.scope === 'partner' ? 'Whole agency' : row.accountName}</span>,
};
const SIZE: Column<AccountExport> = {
  key: 'size',
  head: 'Size',
  align: 'end',
  hide: 'phone',
  cell: (row) => (row.sizeBytes === null ? <span className="text-ink-3">–</span> : formatBytes(row.sizeBytes)),
};

function action(size: 'md' | 'lg'): Column<AccountExport> {
  return {
    key: 'download',
    head: <span className="sr-only">Download</span>,
    align: 'end',
    cell: (row) =>
      row.status === 'ready' ? (
        <DownloadExport row={row} size={size} />
      ) : row.status === 'running' ? (
        <span className="inline-block w-24 align-middle">
          <Meter used={row.percent} limit={100} label="Progress of the export" />
        </span>
      ) : null,
  };
}

function State({ row }: { row: AccountExport }) {
  const { mark, word } = EXPORT_STATUS[row.status];
  const text =
    row.status === 'running'
      ? `${row.percent} % done`
      : row.status === 'ready' && row.expiresAt
        ? `Ready until ${formatLongDay(row.expiresAt)}`
        : row.status === 'failed' && row.error
          ? row.error
          : word;
  return <Status mark={mark}>{text}</Status>;
}

/** Saves the zip file; its address needs the session, so it is not a link. */
function DownloadExport({ row, size }: { row: AccountExport; size: 'md' | 'lg' }) {
  const [percent, setPercent] = useState(0);
  const save = useMutation({
    mutationFn: () => {
      setPercent(0);
      const day = row.createdAt.slice(0, 10);
      const slug = row.accountName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      return saveFile({ path: `/account-export/${row.id}/download`, filename: `${slug}-${day}.zip`, sizeBytes: row.sizeBytes }, setPercent);
    },
    onError: (error) => {
      announceError(error, () => save.mutate());
      void refreshAfter('exportsChanged');
    },
  });
  return (
    <Button
      size={size === 'lg' ? 'md' : 'sm'}
      icon={<Download aria-hidden />}
      busy={save.isPending && `${percent} %`}
      onClick={() => save.mutate()}
    >
      Download
    </Button>
  );
}
