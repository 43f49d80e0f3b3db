import type { Actor } from '#platform/actor.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import type { ChatbotDeps } from '../deps.ts';
import { requireChatbotFeature } from '../require-feature.ts';

type Row = {
  clientId: string;
  clientName: string;
  id: string | null;
  name: string | null;
  isActive: boolean;
  sites: number;
  passages: number;
  agentRoutes: number;
  updatedAt: Date | null;
};

/** Columns of the CSV export. */
export const CHATBOT_COLUMNS: CsvColumns<Row> = [
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

export async function listChatbotRows(tx: Tx, after: string | null, limit: number): Promise<Row[]> {
  return runStatement<'chatbot_list', Row>(tx, {
    name: 'chatbot_list',
    prepare: false,
    text: `select c.id as client_id, c.name as client_name, b.id, b.name, coalesce(b.is_active, false) as is_active,
        coalesce(cardinality(b.allowed_origins), 0) as sites,
        (select coalesce(sum(d.passages), 0)::int from knowledge_document d where d.chatbot_id = b.id) as passages,
        (select count(*)::int from chatbot_route r where r.chatbot_id = b.id) as agent_routes, b.updated_at
      from client c left join lateral (select x.* from chatbot x where x.client_id = c.id offset 0) b on true
      where c.status in ('active', 'suspended') and ($1::uuid is null or c.id < $1)
      order by c.id desc limit $2`,
    values: [after, limit],
  });
}
