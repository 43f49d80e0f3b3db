import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { useCallback } from 'react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { templatesQuery } from '../../queries/templates.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { ordersOf, sortRows } from '../../ui/table/sort.ts';
import { type Column, Table, TableFoot } from '../../ui/table/table.tsx';
import { shownColumns, TableTools, useTableView } from '../../ui/table/table-tools.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { type Template, templateOrder, type TemplateSearch } from './template.ts';
import { TemplateDrawer } from './template-drawer.tsx';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/table/table.css';

type Props = { search: TemplateSearch; onSearch: (change: TemplateSearch) => void };

/** All templates with their versions and adoption. */
export function TemplatesPage({ search, onSearch }: Props) {
  useTitle('Templates');
  const view = useTableView('templates');
  const all = useLoaded(templatesQuery);
  const onText = useCallback((q: string | undefined) => onSearch({ q }), [onSearch]);
  const close = useCallback(() => onSearch({ template: undefined }), [onSearch]);
  const rows = sortRows(
    all.filter((row) => fits(row, search)),
    search.sort,
    { title: (row) => row.title, credits: (row) => row.creditsPerRun, agents: installsOf },
  );
  const categories = [...new Set(all.map((row) => row.category))].sort();
  return (
    <>
      <PageHeader
        title="Templates"
        meta={`${plural(all.length, 'template')}, ${plural(
          all.reduce((sum, row) => sum + installsOf(row), 0),
          'agent',
        )} installed`}
        actions={<ExportButton name="templates" read={() => Promise.resolve(toCsv(rows))} />}
      />
      <FilterBar
        text={search.q}
        onText={onText}
        placeholder="Filter by name"
        chips={
          <FilterChip
            name="Kind"
            value={search.category}
            options={categories.map((value) => ({ value, label: capital(value) }))}
            onChange={(category) => onSearch({ category })}
          />
        }
        tools={<TableTools view={view} choices={CHOICES} />}
      />
      {rows.length === 0 ? <NoMatch what="template" q={search.q} onClear={() => onSearch({ q: undefined, category: undefined })} /> : null}
      {rows.length > 0 ? (
        <Table
          label="Templates"
          columns={shownColumns(COLUMNS, view)}
          dense={view.isDense}
          rows={rows}
          rowKey={(row) => row.name}
          onOpen={(row) => onSearch({ template: row.name })}
          openKey={search.template}
          sorting={{ by: search.sort, onSort: (order) => onSearch({ sort: templateOrder(order) }) }}
          foot={<TableFoot shown={rows.length} hasMore={false} canOpen />}
        />
      ) : null}
      <TemplateDrawer template={all.find((row) => row.name === search.template)} onClose={close} />
    </>
  );
}

/** Columns that can be hidden. */
const CHOICES = [
  { key: 'kind', word: 'Kind' },
  { key: 'version', word: 'Version' },
  { key: 'services', word: 'Services' },
  { key: 'credits', word: 'Credits' },
  { key: 'installs', word: 'Agents' },
  { key: 'adoption', word: 'Versions in use' },
];

const COLUMNS: Column<Template>[] = [
  {
    key: 'title',
    head: 'Template',
    lead: true,
    sort: ordersOf('title', 'ascending'),
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <TemplateIcon name={row.icon} />
        <span className="min-w-0">
          <span className="block font-medium md:truncate">{row.title}</span>
          <code className="table-second-line">{row.name}</code>
          <span className="table-second-line table-phone-line">
            Version {row.templateVersion}
            {row.isActive ? '' : ', paused'}
          </span>
        </span>
      </span>
    ),
  },
  { key: 'kind', head: 'Kind', hide: 'phone', cell: (row) => <span className="text-ink-2">{capital(row.category)}</span> },
  {
    key: 'version',
    head: 'Version',
    hide: 'phone',
    cell: (row) => (
      <span className="inline-flex gap-1.5">
        <Badge>v{row.templateVersion}</Badge>
        {row.isActive ? null : <Badge mark="pause">Paused</Badge>}
      </span>
    ),
  },
  {
    key: 'services',
    head: 'Services',
    hide: 'phone',
    cell: (row) => <span className="text-ink-2">{servicesOf(row) || 'none'}</span>,
  },
  {
    key: 'credits',
    head: 'Credits',
    align: 'end',
    hide: 'phone',
    sort: ordersOf('credits', 'descending'),
    cell: (row) => formatNumber(row.creditsPerRun),
  },
  {
    key: 'installs',
    head: 'Agents',
    align: 'end',
    hide: 'phone',
    sort: ordersOf('agents', 'descending'),
    cell: (row) => (installsOf(row) ? formatNumber(installsOf(row)) : <span className="text-ink-3">0</span>),
  },
  { key: 'adoption', head: 'Versions in use', align: 'end', cell: (row) => <Adoption template={row} /> },
];

function Adoption({ template }: { template: Template }) {
  if (template.adoption.length === 0) return <span className="text-ink-3">–</span>;
  return (
    <span className="inline-flex gap-1.5">
      {template.adoption.map(({ templateVersion, workflows }) => (
        <span
          key={templateVersion}
          className={templateVersion < template.templateVersion ? 'text-warn' : 'text-ink-2'}
          title={`${plural(workflows, 'agent')} on version ${templateVersion}`}
        >
          v{templateVersion} <span className="text-ink-3">×{formatNumber(workflows)}</span>
        </span>
      ))}
    </span>
  );
}

function fits(row: Template, { q, category }: TemplateSearch): boolean {
  const isKind = category === undefined || row.category === category;
  return isKind && (q === undefined || `${row.title} ${row.name} ${row.summary}`.toLowerCase().includes(q.toLowerCase()));
}

function servicesOf({ requiredConnections }: Template): string {
  return requiredConnections
    .filter((provider) => provider !== 'code')
    .map((provider) => PROVIDERS[provider].name)
    .join(', ');
}

/** The catalog is in the page as a whole, so its file needs no request. */
function toCsv(rows: readonly Template[]): string {
  const lines = rows.map((row) =>
    csvLine([
      row.name,
      row.title,
      capital(row.category),
      row.templateVersion,
      row.isActive ? 'active' : 'paused',
      servicesOf(row),
      row.creditsPerRun,
      installsOf(row),
      row.adoption.map(({ templateVersion, workflows }) => `v${templateVersion}: ${workflows}`).join(', '),
    ]),
  );
  const head = ['Template', 'Title', 'Kind', 'Version', 'State', 'Services', 'Credits', 'Agents', 'Versions in use'];
  return `\uFEFF${csvLine(head)}${lines.join('')}`;
}

function installsOf(row: Template): number {
  return row.adoption.reduce((sum, version) => sum + version.workflows, 0);
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
