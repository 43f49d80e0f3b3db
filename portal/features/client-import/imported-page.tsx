import { CLIENT_IMPORT_OUTCOMES, CLIENT_IMPORT_UNDO } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { clientImportQuery, clientImportRowsQuery, type ClientImport, type ImportRowFilters } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Figures, PageHeader, Section } from '../../ui/layout/layout.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { formatMinute, formatToMinute, formatNumber, plural } from '../../ui/text/format.ts';
import { OUTCOMES, UNDONE } from './labels.ts';
import { ResultTable } from './result-table.tsx';
import { loadMore } from '../../shared/load-more.ts';

type Props = { id: string; filters: ImportRowFilters; onChange: (change: ImportRowFilters) => void };

/** What an import did, row by row, and taking it back. */
export function ImportedPage({ id, filters, onChange }: Props) {
  const made = useLoaded(clientImportQuery(id));
  useBreadcrumb(made.filename);
  useTitle(made.filename, useUser().partner.name);
  const list = useInfiniteQuery(clientImportRowsQuery(id, filters));
  const rows = rowsOf(list);
  const { counts } = made;
  return (
    <>
      <PageHeader
        title={`Import of ${made.filename}`}
        meta={`${formatToMinute(made.createdAt)}, by ${made.createdBy?.fullName || made.createdBy?.email || 'a former member'}`}
        actions={
          <>
            <Link to="/dashboard/clients/import" className={buttonClass()}>
              Import another file
            </Link>
            <Link to="/dashboard/clients" className={buttonClass('primary')}>
              All clients
            </Link>
          </>
        }
      />
      <div className="mb-5 grid grid-cols-1 gap-4">
        <Figures
          items={[
            { label: 'Added', value: formatNumber(counts.created) },
            { label: 'Changed', value: formatNumber(counts.updated) },
            { label: 'Unchanged', value: formatNumber(counts.unchanged) },
            { label: 'Refused', value: formatNumber(counts.refused) },
          ]}
        />
        <UndoNote made={made} />
      </div>
      <Section
        title="Rows"
        aside={<ExportButton size="sm" name="client-import" read={() => api.exportClientImportRows({ params: { id }, query: filters })} />}
      >
        <div className="mb-3 flex flex-wrap gap-2">
          <FilterChip
            name="Result"
            value={filters.outcome}
            options={CLIENT_IMPORT_OUTCOMES.map((value) => ({ value, label: OUTCOMES[value].word }))}
            onChange={(outcome) => onChange({ outcome })}
          />
          {made.undone ? (
            <FilterChip
              name="Undo"
              value={filters.undo}
              options={CLIENT_IMPORT_UNDO.map((value) => ({ value, label: UNDONE[value].word }))}
              onChange={(undo) => onChange({ undo })}
            />
          ) : null}
          <SavedFilters table="imports" keys={['outcome', 'undo']} />
        </div>
        {list.error ? <ErrorBlock error={list.error} onRetry={() => void list.refetch()} /> : null}
        {!list.data && !list.error ? <SkeletonRows rows={8} label="Loading rows" /> : null}
        {list.data && rows.length === 0 ? <p className="text-ink-2">No rows here.</p> : null}
        {rows.length > 0 ? (
          <ResultTable
            rows={rows}
            isPlan={false}
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            onMore={() => void loadMore(list)}
          />
        ) : null}
      </Section>
    </>
  );
}

function UndoNote({ made }: { made: ClientImport }) {
  const refusal = useRefusal('clients.create');
  const [isAsking, setAsking] = useState(false);
  const undo = useMutation({
    mutationFn: () => api.undoClientImport({ params: { id: made.id } }),
    onSuccess: (undone) => {
      setAsking(false);
      queryClient.setQueryData(clientImportQuery(made.id).queryKey, undone);
      void refreshAfter('clientsImported');
      announce('The import was undone.');
    },
    onError: (error) => {
      setAsking(false);
      announceError(error);
    },
  });
  const { undone } = made;
  if (undone) {
    const parts = [
      ...(undone.removed > 0 ? [`${plural(undone.removed, 'client')} removed again`] : []),
      ...(undone.restored > 0 ? [`${formatNumber(undone.restored)} restored`] : []),
      ...(undone.kept > 0 ? [`${formatNumber(undone.kept)} kept, each with the reason below`] : []),
    ];
    return (
      <Note tone={undone.kept > 0 ? 'warn' : 'ok'}>
        <b>This import was undone.</b> {parts.length > 0 ? `${parts.join(', ')}.` : ''}
      </Note>
    );
  }
  const written = made.counts.created + made.counts.updated;
  if (written === 0 || new Date(made.undoUntil) <= new Date()) return null;
  return (
    <>
      <Note
        tone="ok"
        action={
          <Button size="sm" icon={<Undo2 aria-hidden />} disabledReason={refusal} onClick={() => setAsking(true)}>
            Undo import
          </Button>
        }
      >
        <b>{plural(written, 'client was', 'clients were')} imported.</b> This can be undone until {formatMinute(made.undoUntil)}.
      </Note>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Undo this import?"
        action="Undo import"
        keep="Keep the clients"
        busy={undo.isPending && 'Undoing'}
        onConfirm={() => undo.mutate()}
      >
        <p>
          <b>{plural(made.counts.created, 'client')}</b> will be removed, and <b>{formatNumber(made.counts.updated)}</b> will get their
          former values back, except for those that were changed or added to since.
        </p>
      </ConfirmDialog>
    </>
  );
}
