import type { ClientStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type ChatbotListRow = {
  clientId: string;
  clientName: string;
  clientStatus: ClientStatus;
  id: string | null;
  name: string | null;
  isActive: boolean;
  sites: number;
  passages: number;
  agentRoutes: number;
  updatedAt: Date | null;
};

/** Returns clients with their chatbots, the newest client first. */
export async function listChatbotRows(tx: Tx, after: string | null, limit: number): Promise<ChatbotListRow[]> {
  return runStatement<'chatbot_list', ChatbotListRow>(tx, {
    name: 'chatbot_list',
    prepare: false,
    text: `select c.id as client_id, c.name as client_name, c.status as client_status, b.id, b.name, coalesce(b.is_active, false) as is_active,
        coalesce(cardinality(b.allowed_origins), 0) as sites,
        (select coalesce(sum(d.passages), 0)::int from knowledge_document d where d.chatbot_id = b.id) as passages,
        (select count(*)::int from chatbot_route r where r.chatbot_id = b.id) as agent_routes, b.updated_at
      from client c left join lateral (select x.* from chatbot x where x.client_id = c.id offset 0) b on true
      where c.status in ('active', 'suspended') and ($1::uuid is null or c.id < $1)
      order by c.id desc limit $2`,
    values: [after, limit],
  });
}
