import { agentNameFor } from '@partner-portal/catalog/index.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { type ClientRef, findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { readerLocale, readerTag } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { listStopList, type StopListRow } from './store.ts';

export type StopListDeps = { db: Database; cursors: Cursors };
type Query = { q?: string | undefined; limit: number; cursor?: string | undefined };

/** Returns the client, which the caller must see; one of a client's users sees its own only. */
export async function clientInScope(tx: Tx, clientId: string): Promise<ClientRef> {
  return (await findClientRef(tx, clientId)) ?? refuse('not_found');
}

export function readStopList(deps: StopListDeps, actor: Actor, clientId: string, { q, limit, cursor }: Query) {
  const part = partOf(q);
  const bound = { list: 'stop-list', clientId, part };
  const [before = null] = deps.cursors.open(bound, cursor) ?? [];
  return inScope(deps.db, actor, undefined, async (tx) => {
    const { partnerId } = await clientInScope(tx, clientId);
    const page = toPage(
      await listStopList(tx, { partnerId, clientId, part }, before, limit + 1),
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { ...page, data: await asReadBy(tx, actor, page.data) };
  });
}

/** Users of a client know agents by the titles in their language. */
export async function asReadBy(tx: Tx, actor: Actor, rows: readonly StopListRow[]): Promise<StopListRow[]> {
  if (actor.role !== 'CLIENT') return [...rows];
  const locale = await readerLocale(tx, actor);
  return rows.map((row) => ({ ...row, agentName: row.agentName === null ? null : agentNameFor(locale, row.templateName, row.agentName) }));
}

/** Contacts are stored as E.164 or in lower case, so that of a number only its digits count, without zeros that are dialled inside a country or before its code: "+49 (0)30". */
function partOf(q: string | undefined): string | null {
  const typed = q?.trim() ?? '';
  if (typed === '') return null;
  return /^[+\d\s().\-/]+$/.test(typed) ? typed.replace(/\(\s*0\s*\)|\D/g, '').replace(/^0+/, '') : typed.toLowerCase();
}

const columnsIn = ({ t }: Messages): CsvColumns<StopListRow> => [
  [t('csv.entry'), (row) => row.id],
  [t('csv.contact'), (row) => row.contact],
  [t('csv.reason'), (row) => t(`stop-list.reason-${row.reason}`)],
  [t('csv.agent'), (row) => row.agentName],
  [t('csv.run'), (row) => row.executionId],
  [t('csv.note'), (row) => row.note],
  [t('csv.who'), (row) => row.addedByName],
  [t('csv.when'), (row) => row.createdAt],
];

/** The list as CSV, in the language of its reader. */
export async function exportStopList(deps: StopListDeps, { actor, now }: RequestContext, clientId: string, q: string | undefined) {
  const messages = messagesFor(await inScope(deps.db, actor, undefined, (tx) => readerTag(tx, actor)));
  return csvOfList({ name: 'stop-list', now, tag: messages.tag }, columnsIn(messages), (cursor) =>
    readStopList(deps, actor, clientId, { q, limit: CSV_PAGE, cursor }),
  );
}
