import type { ConversationsDeps } from '../deps.ts';
import { DELETED_AT_ONCE, deleteSomeOld } from './store.ts';

/** Deletes conversations whose last message is older than they are kept, in small batches. Returns how many. */
export async function deleteOldConversations(deps: Pick<ConversationsDeps, 'db'>, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const count = await deps.db.asSystem('sweep', deleteSomeOld);
    deleted += count;
    if (count < DELETED_AT_ONCE) break;
  }
  return deleted;
}
