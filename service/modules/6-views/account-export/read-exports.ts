import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import { readScopedPage, refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvAnswer, EventsAnswer } from '#platform/http/answer.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { nextPlace, streamRows, timeId } from '#platform/http/follow-changes.ts';
import { refuse } from '#platform/refuse.ts';
import type { AccountExportDeps } from './deps.ts';
import { type ExportRecordRow, findExport, findExportsInScope, listExports, listExportsAfter } from './store.ts';
import { toExportRecord } from './to-record.ts';
import { exportsChanged } from './topic.ts';

type ListQuery = {
  partnerId?: string | undefined;
  clientId?: string | undefined;
  status?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

export function readExports(deps: AccountExportDeps, actor: Actor, query: ListQuery) {
  return readScopedPage(deps, actor, query, {
    list: 'account-exports',
    rows: listExports,
    items: async (_tx, rows: ExportRecordRow[]) => rows.map(toExportRecord),
  });
}

const columnsIn = (t: Messages['t']): CsvColumns<ReturnType<typeof toExportRecord>> => [
  [t('csv.export'), (row) => row.id],
  [t('csv.scope'), (row) => row.scope],
  [t('csv.agency'), (row) => row.partnerName],
  [t('csv.account'), (row) => row.accountName],
  [t('csv.status'), (row) => row.status],
  [t('csv.percent'), (row) => row.percent],
  [t('csv.requested'), (row) => row.createdAt],
  [t('csv.requested-by'), (row) => row.requestedBy?.name],
  [t('csv.finished'), (row) => row.finishedAt],
  [t('csv.bytes'), (row) => row.sizeBytes],
  [t('csv.until'), (row) => row.expiresAt],
  [t('csv.error'), (row) => row.error],
];

/** Exports the list as CSV. */
export async function exportAccountExports(
  deps: AccountExportDeps,
  actor: Actor,
  query: Omit<ListQuery, 'limit' | 'cursor'>,
  now: Date,
): Promise<CsvAnswer> {
  const messages = messagesFor(await inScope(deps.db, actor, undefined, (tx) => readerTag(tx, actor)));
  return csvOfList({ name: 'exports', now, tag: messages.tag }, columnsIn(messages.t), (cursor) =>
    readExports(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
  );
}

export function readExport(deps: AccountExportDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => toExportRecord((await findExport(tx, id)) ?? refuse('not_found')));
}

/** Streams every change of an export in scope: `account_export.changed` with the record. Last-Event-ID resumes in any process. */
export async function streamExports(
  deps: AccountExportDeps,
  actor: Actor,
  query: { partnerId?: string | undefined },
): Promise<EventsAnswer> {
  const scoped = <T>(work: (tx: Tx, partnerId: string | null) => Promise<T>): Promise<T> => inScope(deps.db, actor, query.partnerId, work);
  const followed = await scoped(async (tx, partnerId) => {
    await refuseUnknownScope(tx, { partnerId }, 0);
    return partnerId;
  });
  const read = (rowsOf: (tx: Tx, partnerId: string | null) => Promise<ExportRecordRow[]>) => {
    const id = timeId(new Date());
    return scoped(async (tx, partnerId) => {
      const rows = await rowsOf(tx, partnerId);
      return { rows, events: rows.map((row) => ({ id, event: 'account_export.changed', data: toExportRecord(row) })) };
    });
  };
  const source = streamRows({
    log: deps.log,
    what: 'exports',
    subscribe: (changed, missed) =>
      deps.notices.subscribe(
        exportsChanged,
        ({ partnerId, id }) => {
          if (followed === null || followed === partnerId) changed([id]);
        },
        missed,
      ),
    read: async (ids) => (await read((tx, partnerId) => findExportsInScope(tx, partnerId, ids))).events,
    readAfter: async (place, max) => {
      const { rows, events } = await read((tx, partnerId) => listExportsAfter(tx, partnerId, place, max));
      return { events, next: nextPlace(rows, max, ({ id, updatedAt }) => ({ id, time: updatedAt })) };
    },
  });
  return { kind: 'events', source };
}
