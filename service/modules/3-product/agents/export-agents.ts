import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { type AgentDeps, type AgentQuery, listAgents } from './list-agents.ts';

type Row = Awaited<ReturnType<typeof listAgents>>['data'][number];

const COLUMNS: CsvColumns<Row> = [
  ['Agent', (row) => row.id],
  ['Name', (row) => row.name],
  ['Client', (row) => row.clientName],
  ['Template', (row) => row.templateName],
  ['Version', (row) => row.templateVersion],
  ['Newest version', (row) => row.latestTemplateVersion],
  ['Installed', (row) => row.installed],
  ['On', (row) => row.isActive],
  ['Health', (row) => row.health],
  ['Missing keys', (row) => row.missingConnections.join(' ')],
  ['Runs 30 d', (row) => row.runs30d],
  ['Failures 30 d', (row) => row.failures30d],
  ['Credits per run', (row) => row.creditsPerRun],
  ['Last run', (row) => row.lastRunAt],
  ['Created', (row) => row.createdAt],
];

/** Exports the list as CSV. */
export function exportAgents(deps: AgentDeps, { actor, now }: RequestContext, query: Omit<AgentQuery, 'limit' | 'cursor'>) {
  return csvOfList({ name: 'agents', now }, COLUMNS, (cursor) => listAgents(deps, actor, { ...query, limit: CSV_PAGE, cursor }));
}
