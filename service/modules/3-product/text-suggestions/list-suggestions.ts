import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import type { SuggestionDeps } from './deps.ts';
import { listSuggestions } from './store.ts';
import { toSuggestion } from './suggestion-record.ts';

export type SuggestionQuery = {
  status?: string | undefined;
  workflowId?: string | undefined;
  clientId?: string | undefined;
  partnerId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

export function readSuggestions(deps: SuggestionDeps, actor: Actor, query: SuggestionQuery) {
  return readScopedPage(deps, actor, query, {
    list: 'text-suggestions',
    rows: listSuggestions,
    items: async (_tx, rows) => rows.map((row) => toSuggestion(deps.templateOf, row)),
  });
}

const COLUMNS: CsvColumns<ReturnType<typeof toSuggestion>> = [
  ['Suggestion', (row) => row.id],
  ['Client', (row) => row.clientName],
  ['Agent', (row) => row.agentName],
  ['Text', (row) => row.label],
  ['Before', (row) => row.before],
  ['Suggested', (row) => row.text],
  ['Note', (row) => row.note],
  ['Status', (row) => row.status],
  ['Suggested by', (row) => row.suggestedByName],
  ['Decided by', (row) => row.decidedByName],
  ['Answer', (row) => row.decisionNote],
  ['Created', (row) => row.createdAt],
  ['Decided', (row) => row.decidedAt],
];

export function exportSuggestions(deps: SuggestionDeps, { actor, now }: RequestContext, query: Omit<SuggestionQuery, 'limit' | 'cursor'>) {
  return csvOfList({ name: 'text-suggestions', now }, COLUMNS, (cursor) =>
    readSuggestions(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
  );
}
