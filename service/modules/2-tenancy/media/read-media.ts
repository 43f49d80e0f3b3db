import { LIMITS, type MediaPurpose } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { refuse } from '#platform/refuse.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { MediaDeps } from './deps.ts';
import { findMedia, listMedia, type MediaRow, sumBytes } from './store.ts';
import { toRecord } from './to-record.ts';

type Query = { clientId?: string | undefined; purpose?: MediaPurpose | undefined; limit: number; cursor?: string | undefined };

/** Returns one page of the account's files, newest first, and how many bytes they have. Staff see those of their own account. */
export async function readMediaPage(deps: MediaDeps, actor: Actor, query: Query) {
  let usedBytes = 0;
  const page = await readFiles(deps, actor, query, async (tx, rows) => {
    usedBytes = await sumBytes(tx, actor.partnerId);
    return rows.map(toRecord);
  });
  return { ...page, usedBytes, limitBytes: actor.clientId === null ? LIMITS.mediaBytesPerPartnerMax : LIMITS.mediaBytesPerClientMax };
}

function readFiles<Item>(deps: MediaDeps, actor: Actor, query: Query, items: (tx: Tx, rows: MediaRow[]) => Promise<Item[]>) {
  return readScopedPage(deps, actor, { ...query, partnerId: actor.partnerId }, { list: 'media', rows: listMedia, items });
}

/** Without addresses: that of a logo or avatar shows it to anyone. */
const columnsIn = (t: Messages['t']): CsvColumns<MediaRow> => [
  [t('csv.file'), (row) => row.id],
  [t('csv.filename'), (row) => row.filename],
  [t('csv.client'), (row) => row.clientId],
  [t('csv.purpose'), (row) => row.purpose],
  [t('csv.alt-text'), (row) => row.altText],
  [t('csv.type'), (row) => row.contentType],
  [t('csv.bytes'), (row) => row.sizeBytes],
  [t('csv.width'), (row) => row.width],
  [t('csv.height'), (row) => row.height],
  [t('csv.uploaded'), (row) => row.createdAt],
];

/** Exports the list as CSV. */
export async function exportMedia(deps: MediaDeps, actor: Actor, query: Omit<Query, 'limit' | 'cursor'>, now: Date): Promise<CsvAnswer> {
  const messages = messagesFor(await inScope(deps.db, actor, undefined, (tx) => deps.readerTag(tx, actor)));
  return csvOfList({ name: 'media', now, tag: messages.tag }, columnsIn(messages.t), (cursor) =>
    readFiles(deps, actor, { ...query, limit: CSV_PAGE, cursor }, async (_tx, rows) => rows),
  );
}

export function readMedia({ db }: MediaDeps, actor: Actor, id: string) {
  return inScope(db, actor, undefined, async (tx) => {
    const row = await findMedia(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}
