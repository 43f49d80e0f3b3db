import { exportFileName } from '@partner-portal/core/text/file-name.ts';
import { ApiError } from '@partner-portal/contract/client.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { codeOf, explain } from '../../app/errors.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { saveFile } from '../../app/save-file.ts';
import { useUser } from '../../app/session.ts';
import { type AccountExport, type AccountRef, exportFilters, exportsQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { announce, announceFailure } from '../../ui/feedback/toast.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { formatBytes, formatLongDay, formatToMinute } from '../../ui/text/format.ts';
import { isOpen, useLiveExports } from './use-live-exports.ts';
import { EXPORT_MARKS, nameOf } from './words.ts';
import '../../ui/table/table.css';

type Props = { account: AccountRef; /** The owner of the data, as in "of Oak Street Dental". */ name: string; size?: 'md' | 'lg' };

/** Exports of an account: a new one, its progress, and those of the last days to download. */
export function ExportsPanel({ account, name, size = 'md' }: Props) {
  const { t } = useMessages();
  const isViewing = useIsViewing();
  const user = useUser();
  const refusal = useRefusal('account.manage');
  const isClient = user.role === 'CLIENT';
  if (isViewing) return null;
  return (
    <Section title={t('lifecycle.export')}>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 [[data-interface=client]_&]:pt-4">
        <p className="max-w-[min(62ch,100%)] text-ink-2">
          {isClient ? t('lifecycle.export-lead') : t('lifecycle.export-lead-agency', { name })}
        </p>
        <NewExport account={account} size={size} refusal={refusal} />
      </div>
      {refusal ? null : <History account={account} size={size} />}
    </Section>
  );
}

function NewExport({ account, size, refusal }: { account: AccountRef; size: 'md' | 'lg'; refusal: string | undefined }) {
  const { t, locale } = useMessages();
  const rows = rowsOf(useInfiniteQuery({ ...exportsQuery(account), enabled: refusal === undefined }));
  const isRunning = rows.some((row) => row.scope === account.scope && isOpen(row));
  const create = useMutation({
    mutationFn: () => api.createExport({ body: account }),
    onSuccess: () => announce(t('lifecycle.export-started'), { detail: t('lifecycle.export-notified') }),
    onError: (error) => {
      // How often a day, and when again: the refusal says it, in English.
      const { title, detail, requestId } = explain(error);
      const isTooMany = locale === 'en' && codeOf(error) === 'rate_limited' && error instanceof ApiError;
      announceFailure({ title, detail: isTooMany ? error.message : detail, requestId, retry: undefined });
    },
    onSettled: () => void refreshAfter('exportsChanged'),
  });
  return (
    <Button
      size={size}
      disabledReason={refusal ?? (isRunning ? t('lifecycle.export-running') : undefined)}
      busy={create.isPending && t('lifecycle.export-starting')}
      onClick={() => create.mutate()}
    >
      {t('lifecycle.export-data')}
    </Button>
  );
}

function History({ account, size }: { account: AccountRef; size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const [spoken, setSpoken] = useState('');
  const list = useInfiniteQuery(exportsQuery(account));
  useLiveExports(account, (done) => {
    if (done.status === 'ready') announce(t('lifecycle.export-ready'));
    else setSpoken(t('lifecycle.export-failed', { name: done.accountName }));
  });
  return (
    <>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <PagedTable
        list={list}
        label={t('lifecycle.exports')}
        columns={columnsOf(t, account, size)}
        rowKey={({ id }) => id}
        expected={2}
        empty={<EmptyState title={t('lifecycle.exports-none')}>{t('lifecycle.exports-none-hint')}</EmptyState>}
      />
      {rowsOf(list).length > 0 ? (
        <div className="mt-3 flex justify-end">
          <ExportButton
            size={size === 'lg' ? 'md' : 'sm'}
            word={t('lifecycle.exports-csv')}
            name="exports"
            read={() => api.exportAccountExports({ query: exportFilters(account) })}
          />
        </div>
      ) : null}
    </>
  );
}

function columnsOf(t: Messages['t'], { scope }: AccountRef, size: 'md' | 'lg'): Column<AccountExport>[] {
  const columns: Column<AccountExport>[] = [
    {
      key: 'status',
      head: t('lifecycle.export'),
      lead: true,
      cell: (row) => (
        <>
          <span className="inline-block font-medium first-letter:uppercase">{formatToMinute(row.createdAt)}</span>
          <span className="table-second-line">
            <State row={row} />
          </span>
        </>
      ),
    },
    {
      key: 'by',
      head: t('lifecycle.requested-by'),
      hide: 'phone',
      cell: (row) => <span className="text-ink-2">{nameOf(row.requestedBy, t('lifecycle.removed-user-cell'))}</span>,
    },
    {
      key: 'account',
      head: t('lifecycle.data-of'),
      hide: 'phone',
      cell: (row) => <span className="text-ink-2">{row.scope === 'partner' ? t('lifecycle.whole-agency') : row.accountName}</span>,
    },
    {
      key: 'size',
      head: t('lifecycle.size'),
      align: 'end',
      hide: 'phone',
      cell: (row) => (row.sizeBytes === null ? <span className="text-ink-3">–</span> : formatBytes(row.sizeBytes)),
    },
    {
      key: 'download',
      head: <span className="sr-only">{t('lifecycle.download')}</span>,
      align: 'end',
      cell: (row) =>
        row.status === 'ready' ? (
          <DownloadExport row={row} size={size} />
        ) : row.status === 'running' ? (
          <span className="inline-block w-24 align-middle">
            <Meter used={row.percent} limit={100} label={t('lifecycle.progress')} />
          </span>
        ) : null,
    },
  ];
  return columns.filter(({ key }) => key !== 'account' || scope === 'partner');
}

function State({ row }: { row: AccountExport }) {
  const { t } = useMessages();
  const isClient = useUser().role === 'CLIENT';
  const text =
    row.status === 'running'
      ? t('lifecycle.percent-done', { percent: row.percent })
      : row.status === 'ready' && row.expiresAt
        ? t('lifecycle.ready-until', { day: formatLongDay(row.expiresAt) })
        : row.status === 'failed' && row.error
          ? // The cause is stored in English, and there is nothing that a client could do about it.
            isClient
            ? t('lifecycle.export-try-again')
            : row.error
          : t(`lifecycle.export-state-${row.status}`);
  return <Status mark={EXPORT_MARKS[row.status]}>{text}</Status>;
}

/** Saves the zip file; its address needs the session, so it is not a link. */
function DownloadExport({ row, size }: { row: AccountExport; size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const [percent, setPercent] = useState(0);
  const save = useMutation({
    mutationFn: () => {
      setPercent(0);
      const filename = exportFileName(row.accountName, row.createdAt);
      return saveFile({ path: `/account-export/${row.id}/download`, filename, sizeBytes: row.sizeBytes }, setPercent);
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
      {t('lifecycle.download')}
    </Button>
  );
}
