import { agentTitleFor } from '@partner-portal/catalog/index.ts';
import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import { accessSentence } from '@partner-portal/messages/access-sentence.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { readerLocale, readerTag } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { type EntryRow, findAgency, listAccess } from './store.ts';

type Deps = { db: Database; cursors: Cursors };

/** One page of who opened or changed the data of the session's client. */
export function readAccessLog(deps: Deps, actor: Actor, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  return deps.db.asTenant(actor, async (tx) => {
    const locale = await readerLocale(tx, actor);
    const bound = { list: 'access-log', clientId: actor.clientId };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const { data, nextCursor } = toPage(
      await listAccess(tx, before, limit + 1),
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: data.map((row) => toEntry(row, locale)), nextCursor };
  });
}

/** Kinds of entries whose subject is an agent. */
const OF_AGENTS = ['agent.', 'agent_request.', 'workflow.', 'text_suggestion.'];

function toEntry({ side, name, subject, agent, ...row }: EntryRow, locale: Locale) {
  const isService = row.kind === 'key_used' || row.kind === 'agency_key_used' || row.kind.startsWith('credential.');
  const title = Object.entries(PROVIDER_RULES).find(([provider]) => provider === subject)?.[1].title;
  const about = subject !== null && OF_AGENTS.some((kind) => row.kind.startsWith(kind)) ? agentTitleFor(locale, subject) : subject;
  return { ...row, by: { side, name }, subject: isService ? (title ?? subject) : about, agent: agent && agentTitleFor(locale, agent) };
}

type Entry = ReturnType<typeof toEntry>;

const columnsIn = ({ t }: Messages, agency: string): CsvColumns<Entry> => [
  [t('csv.entry'), (row) => row.id],
  [t('csv.when'), (row) => row.at],
  [t('csv.side'), (row) => row.by.side],
  [t('csv.who'), (row) => row.by.name],
  [t('csv.what'), (row) => row.kind],
  [t('csv.in-words'), (row) => accessSentence({ t }, row, agency)],
  [t('csv.about'), (row) => row.subject],
  [t('csv.uses'), (row) => row.uses],
  [t('csv.for'), (row) => row.agent],
];

/** The access log as CSV, with the sentences of the page. */
export async function exportAccessLog(deps: Deps, { actor, now }: RequestContext) {
  const { clientId } = actor;
  if (clientId === null) return refuse('not_found');
  const { agency, messages } = await deps.db.asTenant(actor, async (tx) => ({
    agency: (await findAgency(tx, clientId)) ?? refuse('not_found'),
    messages: messagesFor(await readerTag(tx, actor)),
  }));
  return csvOfList({ name: 'access-log', now, tag: messages.tag }, columnsIn(messages, agency.name), (cursor) =>
    readAccessLog(deps, actor, { limit: CSV_PAGE, cursor }),
  );
}
