import type { Actor } from '#platform/actor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import type { ChatbotDeps } from '../deps.ts';
import { requireChatbotFeature } from '../require-feature.ts';
import { type ChatbotListRow, listChatbotRows } from './store-list.ts';

/** Columns of the CSV export. */
export const CHATBOT_COLUMNS: CsvColumns<ChatbotListRow> = [
  ['Client', (row) => row.clientId],
  ['Client name', (row) => row.clientName],
  ['Chatbot', (row) => row.id],
  ['Name', (row) => row.name],
  ['Active', (row) => row.isActive],
  ['Websites', (row) => row.sites],
  ['Passages', (row) => row.passages],
  ['Agents', (row) => row.agentRoutes],
  ['Changed', (row) => row.updatedAt],
];

/** The clients of an agency, the newest first, each with the state of its chatbot; archived ones are left out. */
export async function listChatbots({ db, cursors }: ChatbotDeps, actor: Actor, query: { limit: number; cursor?: string | undefined }) {
  const filters = { route: 'chatbots', scope: actor.partnerId };
  const [after = null] = cursors.open(filters, query.cursor) ?? [];
  const rows = await db.asTenant(actor, async (tx) => {
    await requireChatbotFeature(tx, actor.partnerId);
    return listChatbotRows(tx, after, query.limit + 1);
  });
  return toPage(
    rows,
    query.limit,
    (row) => [row.clientId],
    (position) => cursors.seal(filters, position),
  );
}
