import type { Tx } from '#platform/db/tx.ts';
import { addOrSetAgent, type NewAgent } from './store.ts';

/**
 * Returns the id of the agent of this template for this owner: added if there is none, else updated with these settings unless `keepSettings`.
 * Runs in the caller's transaction and installs nothing.
 */
export function ensureAgent(tx: Tx, agent: NewAgent, { keepSettings }: { keepSettings: boolean }): Promise<string> {
  return addOrSetAgent(tx, agent, keepSettings);
}
