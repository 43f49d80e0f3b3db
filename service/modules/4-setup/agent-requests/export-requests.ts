import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { readRequests, type RequestQuery } from './read-requests.ts';

type Row = Awaited<ReturnType<typeof readRequests>>['data'][number];

const COLUMNS: CsvColumns<Row> = [
  ['Request', (row) => row.id],
  ['Title', (row) => row.title],
  ['Agency', (row) => row.partnerName],
  ['Client', (row) => row.clientName],
  ['Kind', (row) => row.kind],
  ['Template', (row) => row.templateName],
  ['Status', (row) => row.status],
  ['From', (row) => row.origin],
  ['Requested by', (row) => row.requestedByName],
  ['Note', (row) => row.decisionNote],
  ['Missing keys', (row) => row.missingConnections.join(' ')],
  ['Agent', (row) => row.workflowId],
  ['Created', (row) => row.createdAt],
  ['Changed', (row) => row.updatedAt],
];

/** CSV export of the list. */
export function exportRequests(deps: AgentRequestsDeps, { actor, now }: RequestContext, query: Omit<RequestQuery, 'limit' | 'cursor'>) {
  return csvOfList({ name: 'agent-requests', now }, COLUMNS, (cursor) => readRequests(deps, actor, { ...query, limit: CSV_PAGE, cursor }));
}
