import { describeAuditEntry } from '@partner-portal/core/audit/sentence.ts';
import { maskEmail, maskText } from '@partner-portal/core/contact/mask.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvAnswer, NdjsonAnswer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { CsvValue } from '#platform/http/csv.ts';
import { CSV_PAGE } from '#platform/http/csv-list.ts';
import { entryAnswer } from './entry-answer.ts';
import { actorFilter, type EntryQuery, type ReadDeps, readEntries } from './list-entries.ts';
import { originOf, recordAudit } from './record-audit.ts';
import { findAddress } from './store.ts';

type Entry = ReturnType<typeof entryAnswer>;
type Page = { entries: Entry[]; next: string | null };

const COLUMNS: readonly (readonly [heading: string, value: (entry: Entry) => CsvValue])[] = [
  ['When', (entry) => entry.at],
  ['What happened', (entry) => Object.values(describeAuditEntry(entry)).join(' ')],
  ['Result', (entry) => entry.result],
  ['Actor', (entry) => entry.actor.name],
  ['Actor e-mail', (entry) => entry.actor.email],
  ['Actor type', (entry) => entry.actor.type],
  ['Acting for real', (entry) => (entry.actor.via ? (entry.actor.via.email ?? entry.actor.via.name) : '')],
  ['Action', (entry) => entry.action],
  ['Target type', (entry) => entry.target?.type],
  ['Target', (entry) => entry.target?.label],
  ['Target ID', (entry) => entry.target?.id],
  ['Agency', (entry) => entry.partnerName],
  ['Client', (entry) => entry.clientName],
  ['Changes', (entry) => (Object.keys(entry.changes).length > 0 ? JSON.stringify(entry.changes) : '')],
  ['Address', (entry) => entry.ip],
  ['Browser', (entry) => entry.userAgent],
  ['Request', (entry) => entry.requestId],
  ['Entry', (entry) => entry.id],
];

export async function exportCsv(deps: ReadDeps, context: RequestContext, asked: EntryQuery): Promise<CsvAnswer> {
  const opened = await openExport(deps, context, asked, 'csv');
  const pages = async function* (): AsyncGenerator<readonly (readonly CsvValue[])[]> {
    for await (const entries of opened) yield entries.map((entry) => COLUMNS.map(([, value]) => value(entry)));
  };
  return { kind: 'csv', filename: fileName(context, 'csv'), columns: COLUMNS.map(([heading]) => heading), pages: pages() };
}

export async function exportNdjson(deps: ReadDeps, context: RequestContext, asked: EntryQuery): Promise<NdjsonAnswer> {
  return { kind: 'ndjson', filename: fileName(context, 'ndjson'), pages: await openExport(deps, context, asked, 'ndjson') };
}

const fileName = ({ now }: RequestContext, format: string): string => `audit-log-${now.toISOString().slice(0, 10)}.${format}`;

/**
 * Streams the whole list, each page in its own transaction. The first page and the audit entry about the export share one, so every export
 * is recorded and no refused one.
 */
async function openExport(
  deps: ReadDeps,
  context: RequestContext,
  asked: EntryQuery,
  format: string,
): Promise<AsyncIterable<readonly Entry[]>> {
  const { actor } = context;
  const read = (before: string | null, also?: (tx: Tx, partnerId: string | null) => Promise<void>): Promise<Page> =>
    inScope(deps.db, actor, asked.partnerId, async (tx, partnerId) => {
      const { rows, lastLooked } = await readEntries(tx, actor, partnerId, asked, before, CSV_PAGE);
      await also?.(tx, partnerId);
      return {
        entries: rows.map((row) => entryAnswer(actor, row)),
        next: rows.length === CSV_PAGE ? (rows.at(-1)?.id ?? null) : lastLooked,
      };
    });
  const first = await read(null, (tx, partnerId) => recordExport(tx, context, partnerId, asked, format));
  return pagesFrom(first, read);
}

async function* pagesFrom(first: Page, read: (before: string) => Promise<Page>): AsyncGenerator<readonly Entry[]> {
  let page = first;
  for (;;) {
    yield page.entries;
    if (page.next === null) return;
    page = await read(page.next);
  }
}

/** Exports of everything are recorded in the staff's log, of one partner in that partner's. */
async function recordExport(tx: Tx, context: RequestContext, partnerId: string | null, asked: EntryQuery, format: string): Promise<void> {
  const { actor } = context;
  const { clientId, filters } = await filtersToKeep(tx, partnerId, asked);
  const owner = partnerId ?? actor.partnerId;
  await recordAudit(tx, {
    partnerId: owner,
    clientId,
    actor,
    action: 'audit_log.exported',
    target: { type: 'audit_log', id: owner },
    changes: Object.fromEntries([['format', [null, format]], ...filters.map(([name, value]) => [name, [null, value]])]),
    origin: originOf(context),
  });
}

/**
 * The filters of an export, and the client it is about. The address of a client's user is in an entry of that client, which the client's purge
 * deletes, and an unknown one is masked. A purge finds known addresses in the log of staff.
 */
async function filtersToKeep(tx: Tx, partnerId: string | null, asked: EntryQuery) {
  const isStaffLog = partnerId === null;
  const actor = actorFilter(asked.actor, isStaffLog);
  const address = actor?.by === 'email' ? actor.value : undefined;
  const user = address === undefined ? undefined : await findAddress(tx, partnerId, address);
  const clientId = asked.clientId ?? (isStaffLog ? null : (user?.clientId ?? null));
  const isKept = user !== undefined && (isStaffLog || user.clientId === null || user.clientId === clientId);
  const kept: EntryQuery = {
    ...asked,
    partnerId: undefined,
    ...(address === undefined ? {} : { actor: isKept ? address : maskEmail(address) }),
    ...(asked.targetId === undefined ? {} : { targetId: maskText(asked.targetId) }),
  };
  return { clientId, filters: Object.entries(kept).filter(([, value]) => value !== undefined) };
}
