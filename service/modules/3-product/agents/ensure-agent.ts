import type { Template } from '@partner-portal/core/template/types.ts';
import type { Tx } from '#platform/db/tx.ts';
import { readFirstTexts } from './read-first-texts.ts';
import { addOrSetAgent, type NewAgent } from './store.ts';

/**
 * Returns the id of the agent of this template for this owner: added if there is none, else updated with these settings unless `keepSettings`.
 * Runs in the caller's transaction and installs nothing.
 */
export async function ensureAgent(
  tx: Tx,
  agent: NewAgent,
  { template, keepSettings }: { template: Template | undefined; keepSettings: boolean },
): Promise<string> {
  const textsOf = await readFirstTexts(tx, agent);
  return addOrSetAgent(tx, agent, { texts: textsOf(template), keepSettings });
}
