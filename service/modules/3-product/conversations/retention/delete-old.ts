import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { ConversationsDeps } from '../deps.ts';

const AT_ONCE = 200;

/** Deletes conversations whose last message is older than they are kept, in small batches. Returns how many. */
export async function deleteOldConversations(deps: Pick<ConversationsDeps, 'db'>, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const count = await deps.db.asSystem('sweep', (tx) => deleteSome(tx));
    deleted += count;
    if (count < AT_ONCE) break;
  }
  return deleted;
}

async function deleteSome(tx: SystemTx): Promise<number> {
  const rows = await runStatement<'conversations_delete_old'>(tx, {
    name: 'conversations_delete_old',
    text: `delete from conversation where id in (
        select id from conversation where last_message_at < now() - $1 * interval '1 day' order by last_message_at limit $2 for update skip locked) returning id`,
    values: [LIMITS.conversationDays, AT_ONCE],
    prepare: false,
  });
  return rows.length;
}
