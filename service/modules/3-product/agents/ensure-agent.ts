import type { Tx } from '#platform/db/tx.ts';
import { addOrSetAgent, type NewAgent } from './store.ts';

/**
 * The agent of this template for this owner: added when there is none, else given these settings over its own. In the caller's
 * transaction; it is not installed by this. Answers its id.
 */
export function ensureAgent(tx: Tx, agent: NewAgent): Promise<string> {
  return addOrSetAgent(tx, agent);
}
