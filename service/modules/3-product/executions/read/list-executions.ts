import { HIDDEN_CAUSE_MESSAGE } from '@partner-portal/core/execution/error.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope, refuseUnknownScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import type { CsvValue } from '#platform/http/csv.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { runAnswerFor } from './run-answer.ts';
import { listCauses, listRuns, type RunFilters, type RunRow, searchRuns } from './store.ts';

export type ListDeps = { db: Database; cursors: Cursors };

/** What a caller asks for; whose runs it may be is decided here. */
export type RunQuery = Omit<RunFilters, 'partnerId'> & { partnerId?: string | undefined; q?: string | undefined };

/** One page of runs in scope, newest first. */
export async function listExecutions(deps: ListDeps, actor: Actor, query: RunQuery & { limit: number; cursor?: string | undefined }) {
  const { limit, cursor, q, ...asked } = query;
  refuseSearchByClient(actor, q);
  return inScope(deps.db, actor, asked.partnerId, async (tx, partnerId) => {
    const filters = filtersFor(actor, asked, partnerId);
    const bound = { ...filters, q, list: 'executions' };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const seal = (position: readonly string[]): string => deps.cursors.seal(bound, position);
    const text = q?.trim();
    const { rows, lastLooked } = text
      ? await searchRuns(tx, filters, text, before, limit + 1)
      : { rows: await listRuns(tx, filters, before, limit + 1), lastLooked: null };
    await refuseUnknownScope(tx, filters, rows.length);
    const page = toPage(rows, limit, (row: RunRow) => [row.id], seal);
    return {
      data: page.data.map((row) => runAnswerFor(actor, row)),
      nextCursor: page.nextCursor ?? (lastLooked === null ? null : seal([lastLooked])),
    };
  });
}

/** Failed runs grouped by what went wrong; the last seven days unless asked otherwise. */
export async function listFailureCauses(deps: ListDeps, actor: Actor, query: Omit<RunQuery, 'q'>, now: Date) {
  const from = query.from ?? new Date(now.getTime() - 7 * 86_400_000).toISOString();
  return inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const filters = filtersFor(actor, { ...query, from }, partnerId);
    const causes = await listCauses(tx, filters);
    await refuseUnknownScope(tx, filters, causes.length);
    return causes.map((cause) => ({
      ...cause,
      ...(actor.role === 'CLIENT' ? { message: HIDDEN_CAUSE_MESSAGE } : {}),
      clients: cause.clients.filter((name) => name !== null),
    }));
  });
}

const CSV_PAGE = 1_000;
const CSV_COLUMNS = [
  'Run',
  'Started',
  'Finished',
  'Status',
  'Agent',
  'Client',
  'Source',
  'What happened',
  'Error',
  'Credits',
  'Duration (ms)',
  'Late',
];

/** The same list as CSV. Pages are read as the receiver takes them, each in a transaction of its own, so a slow one holds nothing open. */
export async function exportExecutions(deps: ListDeps, actor: Actor, query: RunQuery, now: Date): Promise<CsvAnswer> {
  refuseSearchByClient(actor, query.q);
  const first = await readCsvPage(deps, actor, query, null);
  const rows = async function* (): AsyncGenerator<readonly CsvValue[]> {
    let page = first;
    for (;;) {
      yield* page.lines;
      if (page.next === null) return;
      page = await readCsvPage(deps, actor, query, page.next);
    }
  };
  return { kind: 'csv', filename: `runs-${now.toISOString().slice(0, 10)}.csv`, columns: CSV_COLUMNS, rows: rows() };
}

async function readCsvPage(
  deps: ListDeps,
  actor: Actor,
  query: RunQuery,
  before: string | null,
): Promise<{ lines: CsvValue[][]; next: string | null }> {
  return inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const filters = filtersFor(actor, query, partnerId);
    const text = query.q?.trim();
    const found = text
      ? await searchRuns(tx, filters, text, before, CSV_PAGE)
      : { rows: await listRuns(tx, filters, before, CSV_PAGE), lastLooked: null };
    if (before === null) await refuseUnknownScope(tx, filters, found.rows.length);
    const next = found.rows.length === CSV_PAGE ? (found.rows.at(-1)?.id ?? null) : found.lastLooked;
    return { lines: found.rows.map((row) => csvRow(actor, row)), next };
  });
}

function csvRow(reader: Actor, row: RunRow): CsvValue[] {
  const run = runAnswerFor(reader, row);
  return [
    run.id,
    run.startedAt,
    run.finishedAt,
    run.status,
    run.agentName,
    run.clientName,
    run.source,
    run.summary,
    run.error?.message,
    run.creditsCharged,
    run.durationMs,
    run.late ? 'yes' : '',
  ];
}

/** A client is fenced to its own runs by the database; naming the client as well lets its index serve. */
export function filtersFor(actor: Actor, asked: Omit<RunQuery, 'q'>, partnerId: string | null): RunFilters {
  const { clientId, workflowId, status, source, from, to, cause } = asked;
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  return { partnerId, clientId: actor.clientId ?? clientId, workflowId, status, source, from, to, cause };
}

/** Inputs are the agency's to search (product.md §5.4). */
function refuseSearchByClient(actor: Actor, q: string | undefined): void {
  if (actor.role === 'CLIENT' && q !== undefined)
    refuse('scope_forbidden', { detail: 'Searching in what was sent to an agent is for the agency.' });
}
