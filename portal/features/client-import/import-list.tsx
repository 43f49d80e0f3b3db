import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { type ClientImport, clientImportsQuery, IMPORTS_STEP } from './queries.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/time.tsx';

/** Imports so far; nothing while there is none. */
export function ImportList() {
  const list = useInfiniteQuery(clientImportsQuery());
  if (list.data && rowsOf(list).length === 0) return null;
  return (
    <Section title="Earlier imports" aside={<ExportButton size="sm" name="client-imports" read={() => api.exportClientImports({})} />}>
      <PagedTable
        list={list}
        step={IMPORTS_STEP}
        expected={3}
        empty={null}
        label="Earlier imports"
        columns={COLUMNS}
        rowKey={(made) => made.id}
      />
    </Section>
  );
}

const COLUMNS: Column<ClientImport>[] = [
  {
    key: 'file',
    head: 'File',
    lead: true,
    cell: (made) => (
      <Link to="/dashboard/clients/import/$importId" params={{ importId: made.id }}>
        {made.filename}
      </Link>
    ),
  },
  { key: 'added', head: 'Added', align: 'end', cell: (made) => formatNumber(made.counts.created) },
  { key: 'changed', head: 'Changed', align: 'end', hide: 'phone', cell: (made) => formatNumber(made.counts.updated) },
  { key: 'refused', head: 'Refused', align: 'end', hide: 'phone', cell: (made) => formatNumber(made.counts.refused) },
  {
    key: 'state',
    head: 'State',
    hide: 'phone',
    cell: (made) => (made.undone ? <Status mark="skip">Undone</Status> : <Status mark="ok">Imported</Status>),
  },
  { key: 'by', head: 'By', hide: 'phone', cell: ({ createdBy }) => createdBy?.fullName || createdBy?.email || 'A former member' },
  { key: 'at', head: 'When', align: 'end', cell: (made) => <Time iso={made.createdAt} className="text-ink-2" /> },
];
