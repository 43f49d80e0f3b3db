import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type NamedChatbot = { id: string; name: string; clientId: string; clientName: string };

/** Returns chatbots of an agency with their names: those with these ids, or the one of a client. */
export async function listChatbotNames(
  tx: Tx,
  partnerId: string,
  { ids = null, clientId = null }: { ids?: readonly string[] | null; clientId?: string | null },
): Promise<NamedChatbot[]> {
  return runStatement<'chatbot_names', NamedChatbot>(tx, {
    name: 'chatbot_names',
    prepare: false,
    text: `select b.id, b.name, b.client_id, c.name as client_name from chatbot b join client c on c.id = b.client_id
      where b.partner_id = $1::uuid and (b.id = any($2::uuid[]) or b.client_id = $3::uuid)`,
    values: [partnerId, ids === null ? null : [...ids], clientId],
  });
}
