import type { ExecutionOrder } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { failureSentence } from '@partner-portal/messages/failure-sentence.ts';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { readerLocale, readerTag } from '#modules/2-tenancy/identity/index.ts';
import { recordListLook, recordLooks } from '#modules/1-ledger/audit/index.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import type { CsvValue } from '#platform/http/csv.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { messageOf, toExecutionRecordFor } from './execution-record.ts';
import { type ExecutionFilters, type ExecutionRow, listCauses, listExecutionRows, listOldestRows, searchExecutionRows } from './store.ts';

const LISTED = { ofClient: 'runs', ofAgency: 'runs' } as const;
const EXPORTED = { ofClient: 'exports', ofAgency: 'run_exports' } as const;

export type ListDeps = { db: Database; cursors: Cursors };

/** The filters of a request; the partner and client are checked here. */
export type ExecutionQuery = Omit<ExecutionFilters, 'partnerId'> & { partnerId?: string | undefined; q?: string | undefined };

type ListQuery = ExecutionQuery & { limit: number; cursor?: string | undefined; sort?: ExecutionOrder | undefined };

/** Lists one page of executions in scope, newest first unless `sort` says otherwise. */
export async function listExecutions(deps: ListDeps, actor: Actor, query: ListQuery) {
  const { limit, cursor, q, sort, ...filter } = query;
  refuseSearchByClient(actor, q);
  const isOldestFirst = sort === 'oldest';
  if (isOldestFirst && q !== undefined) refuse('invalid_query', { detail: 'A search for `q` lists the newest first: leave out `sort`.' });
  return inScope(deps.db, actor, filter.partnerId, async (tx, partnerId) => {
    const filters = filtersFor(actor, filter, partnerId);
    const bound = { ...filters, q, list: 'executions', ...(isOldestFirst ? { sort } : {}) };
    const [last = null] = deps.cursors.open(bound, cursor) ?? [];
    const seal = (position: readonly string[]): string => deps.cursors.seal(bound, position);
    const text = q?.trim();
    const { rows, lastSearched } = text
      ? await searchExecutionRows(tx, filters, text, last, limit + 1)
      : { rows: await (isOldestFirst ? listOldestRows : listExecutionRows)(tx, filters, last, limit + 1), lastSearched: null };
    await refuseUnknownScope(tx, filters, rows.length);
    const page = toPage(rows, limit, (row: ExecutionRow) => [row.id], seal);
    if (isNarrowed(filters)) await recordLooks(tx, actor, 'runs', clientsOf(page.data));
    else if (partnerId !== null) await recordListLook(tx, actor, LISTED, { partnerId, clientId: null, shown: page.data });
    const reader = { role: actor.role, locale: await readerLocale(tx, actor) };
    return {
      data: page.data.map((row) => toExecutionRecordFor(reader, row)),
      nextCursor: page.nextCursor ?? (lastSearched === null ? null : seal([lastSearched])),
    };
  });
}

const DAY_MS = 86_400_000;

/** Groups failed executions by cause; of the last seven days by default. */
export async function listFailureCauses(deps: ListDeps, actor: Actor, query: Omit<ExecutionQuery, 'q'>, now: Date) {
  return inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const filters = filtersFor(actor, query, partnerId);
    const from = query.from ?? new Date(now.getTime() - 7 * DAY_MS).toISOString();
    const endMs = Math.min(now.getTime(), query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to));
    const causes = await listCauses(tx, { ...filters, from });
    const { t } = messagesFor(await readerLocale(tx, actor));
    await refuseUnknownScope(tx, filters, causes.length);
    return causes.map(({ days, firstDay, ...cause }) => ({
      ...cause,
      byDay: countDays(days, firstDay, (endMs - Date.parse(from)) / DAY_MS),
      message: actor.role === 'CLIENT' ? failureSentence(t, failureOf(cause.code).kind) : messageOf(cause.code, cause.message),
      clients: cause.clients.filter((name) => name !== null),
    }));
  });
}

const DAYS_SHOWN = 31;

/** Counts by day: `days` holds the day of each failure, of the `span` days since the first; from `firstDay` on, the newest `DAYS_SHOWN`. */
function countDays(days: readonly number[], firstDay: number, span: number): number[] {
  const length = Math.max(
    1,
    Math.ceil(span),
    days.reduce((most, day) => Math.max(most, day + 1), 0),
  );
  const first = Math.max(Math.min(firstDay, length), length - DAYS_SHOWN);
  const counts = Array.from({ length: length - first }, () => 0);
  for (const day of days) if (day >= first) counts[day - first] = (counts[day - first] ?? 0) + 1;
  return counts;
}

const CSV_PAGE = 1_000;
type CsvRun = ReturnType<typeof toExecutionRecordFor>;
/** The key of each heading, and the value below it. */
const CSV_COLUMNS = [
  ['run', ({ id }) => id],
  ['started', ({ startedAt }) => startedAt],
  ['finished', ({ finishedAt }) => finishedAt],
  ['status', ({ status }) => status],
  ['agent', ({ agentName }) => agentName],
  ['client', ({ clientName }) => clientName],
  ['source', ({ source }) => source],
  ['what-happened', ({ summary }) => summary],
  ['error', ({ error }) => error?.message],
  ['credits', ({ creditsCharged }) => creditsCharged],
  ['duration', ({ durationMs }) => durationMs],
  ['late', ({ late }, t) => (late ? t('csv.yes') : '')],
] as const satisfies readonly (readonly [string, (run: CsvRun, t: Messages['t']) => CsvValue])[];

/** Exports the list as CSV. Pages are read on demand, each in its own transaction, so a slow reader keeps none open. */
export async function exportExecutions(deps: ListDeps, actor: Actor, query: ExecutionQuery, now: Date): Promise<CsvAnswer> {
  refuseSearchByClient(actor, query.q);
  const first = await readCsvPage(deps, actor, query, null);
  const pages = async function* (): AsyncGenerator<readonly (readonly CsvValue[])[]> {
    let page = first;
    for (;;) {
      yield page.lines;
      if (page.next === null) return;
      page = await readCsvPage(deps, actor, query, page.next);
    }
  };
  return {
    kind: 'csv',
    filename: `runs-${now.toISOString().slice(0, 10)}.csv`,
    columns: CSV_COLUMNS.map(([heading]) => first.messages.t(`csv.${heading}`)),
    pages: pages(),
    tag: first.messages.tag,
  };
}

async function readCsvPage(
  deps: ListDeps,
  actor: Actor,
  query: ExecutionQuery,
  before: string | null,
): Promise<{ lines: CsvValue[][]; next: string | null; messages: Messages }> {
  return inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const filters = filtersFor(actor, query, partnerId);
    const text = query.q?.trim();
    const found = text
      ? await searchExecutionRows(tx, filters, text, before, CSV_PAGE)
      : { rows: await listExecutionRows(tx, filters, before, CSV_PAGE), lastSearched: null };
    if (before === null) await refuseUnknownScope(tx, filters, found.rows.length);
    const next = found.rows.length === CSV_PAGE ? (found.rows.at(-1)?.id ?? null) : found.lastSearched;
    if (isNarrowed(filters) || partnerId === null) await recordLooks(tx, actor, 'exports', clientsOf(found.rows));
    else await recordListLook(tx, actor, EXPORTED, { partnerId, clientId: null, shown: found.rows });
    const messages = messagesFor(await readerTag(tx, actor));
    const reader = { role: actor.role, locale: messages.locale };
    return { lines: found.rows.map((row) => csvRow(messages.t, toExecutionRecordFor(reader, row))), next, messages };
  });
}

/** Whether a list looks at one client, or at an agent or conversation of one. */
function isNarrowed({ clientId, workflowId, conversationId }: ExecutionFilters): boolean {
  return clientId !== undefined || workflowId !== undefined || conversationId !== undefined;
}

/** The rows say whose runs were seen: staff need not name an agency, nor the path of an agent its client. */
function clientsOf(rows: readonly ExecutionRow[]): Set<string> {
  return new Set(rows.flatMap((row) => row.clientId ?? []));
}

function csvRow(t: Messages['t'], run: CsvRun): CsvValue[] {
  return CSV_COLUMNS.map(([, value]) => value(run, t));
}

/**
 * Returns the filters of the query. `Required`: a filter that is added to the contract must be named here. The database limits a client to its own
 * executions; naming the client lets an index serve.
 */
export function filtersFor(actor: Actor, query: Omit<ExecutionQuery, 'q'>, partnerId: string | null): Required<ExecutionFilters> {
  const { clientId, workflowId, status, source, conversationId, from, to, cause } = query;
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  return { partnerId, clientId: actor.clientId ?? clientId, workflowId, status, source, conversationId, from, to, cause };
}

/** Only partner users and staff may search inputs. */
function refuseSearchByClient(actor: Actor, q: string | undefined): void {
  if (actor.role === 'CLIENT' && q !== undefined)
    refuse('scope_forbidden', { detail: 'Only your agency can search what was sent to an agent.' });
}
