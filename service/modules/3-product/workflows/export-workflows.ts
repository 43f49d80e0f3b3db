import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { listWorkflows, type WorkflowDeps } from './read-workflows.ts';

type Row = Awaited<ReturnType<typeof listWorkflows>>['data'][number];

const COLUMNS: CsvColumns<Row> = [
  ['Workflow', (row) => row.id],
  ['Name', (row) => row.name],
  ['Client', (row) => row.clientId],
  ['Template', (row) => row.templateName],
  ['Version', (row) => row.templateVersion],
  ['Newest version', (row) => row.latestTemplateVersion],
  ['Installed', (row) => row.installed],
  ['On', (row) => row.isActive],
  ['Steps', (row) => row.definition.steps.map((step) => step.label).join(' > ')],
  ['Created', (row) => row.createdAt],
];

/** Exports the list as CSV. */
export function exportWorkflows(
  deps: WorkflowDeps,
  { actor, now }: RequestContext,
  query: { clientId?: string | undefined; partnerId?: string | undefined },
) {
  return csvOfList({ name: 'workflows', now }, COLUMNS, (cursor) => listWorkflows(deps, actor, { ...query, limit: CSV_PAGE, cursor }));
}
