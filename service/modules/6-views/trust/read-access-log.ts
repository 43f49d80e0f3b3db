import { describeAuditEntry } from '@partner-portal/core/audit/sentence.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { type EntryRow, listAccess } from './store.ts';

type Deps = { db: Database; cursors: Cursors };

/** One page of who opened or changed the data of the session's client. */
export function readAccessLog(deps: Deps, actor: Actor, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  return deps.db.asTenant(actor, async (tx) => {
    const bound = { list: 'access-log', clientId: actor.clientId };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const { data, nextCursor } = toPage(
      await listAccess(tx, before, limit + 1),
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: data.map(toEntry), nextCursor };
  });
}

function toEntry({ side, name, subject, ...row }: EntryRow) {
  const isService = row.kind === 'key_used' || row.kind === 'agency_key_used' || row.kind.startsWith('credential.');
  const title = Object.entries(PROVIDER_RULES).find(([provider]) => provider === subject)?.[1].title;
  return { ...row, by: { side, name }, subject: isService ? (title ?? subject) : subject };
}

type Entry = ReturnType<typeof toEntry>;

const COLUMNS: CsvColumns<Entry> = [
  ['Entry', (row) => row.id],
  ['When', (row) => row.at],
  ['Side', (row) => row.by.side],
  ['Who', (row) => row.by.name],
  ['What', (row) => row.kind],
  ['In words', (row) => inWords(row)],
  ['About', (row) => row.subject],
  ['Uses', (row) => row.uses],
  ['For', (row) => row.agent],
];

const OPENED: Readonly<Record<string, string>> = {
  'look.runs': 'opened runs',
  'look.conversations': 'opened conversations',
  'look.exports': 'exported a list',
  'look.all_runs': 'opened runs of all clients',
  'look.all_conversations': 'opened conversations of all clients',
  key_used: 'used a key',
  agency_key_used: 'used a key of the agency',
};

function inWords({ kind, by, subject }: Entry): string {
  const actor = { type: 'user' as const, name: by.name ?? by.side, email: null, via: null };
  return OPENED[kind] ?? describeAuditEntry({ action: kind, result: 'ok', actor, target: { label: subject }, clientName: null }).what;
}

export function exportAccessLog(deps: Deps, { actor, now }: RequestContext) {
  return csvOfList({ name: 'access-log', now }, COLUMNS, (cursor) => readAccessLog(deps, actor, { limit: CSV_PAGE, cursor }));
}
