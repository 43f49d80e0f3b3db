import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

export const DELETED_AT_ONCE = 200;

/** Deletes some conversations whose last message is older than they are kept. Returns how many. */
export async function deleteSomeOld(tx: SystemTx): Promise<number> {
  const rows = await runStatement<'conversations_delete_old'>(tx, {
    name: 'conversations_delete_old',
    prepare: false,
    text: `delete from conversation where id in (
        select id from conversation where last_message_at < now() - $1 * interval '1 day' order by last_message_at limit $2 for update skip locked) returning id`,
    values: [LIMITS.conversationDays, DELETED_AT_ONCE],
  });
  return rows.length;
}
