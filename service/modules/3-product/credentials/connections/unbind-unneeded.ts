import type { CredentialsDeps } from '../deps.ts';
import { LEASE_SECONDS } from './bind-connection.ts';
import { needsByTemplate } from '../requirements/needs.ts';
import type { Slot } from '../store.ts';
import { claimUnneeded, forgetUnneeded } from '../store-connections.ts';
import { queueSync } from '../sync-job.ts';

/**
 * Deletes the connections of a slot, in the engine and here, when none of its owner's agents needs the provider. Returns false when a writer
 * holds one: call again later. Not inside a transaction; throws what the engine client throws.
 */
export async function unbindUnneeded(deps: Pick<CredentialsDeps, 'db' | 'engine'>, slot: Slot): Promise<boolean> {
  const templateNames = [...needsByTemplate()]
    .filter(([, needs]) => needs.some((need) => need.provider === slot.provider))
    .map(([name]) => name);
  const { claimed, busy } = await deps.db.asSystem('credentials', (tx) => claimUnneeded(tx, slot, templateNames, LEASE_SECONDS));
  for (const connection of claimed) {
    const held = await deps.engine.listConnections(connection.projectId);
    for (const { id } of held.filter((one) => one.externalId === connection.externalId)) await deps.engine.deleteConnection(id);
    await deps.db.asSystem('credentials', async (tx) => {
      const wanted = await forgetUnneeded(tx, connection);
      if (wanted !== undefined) await queueSync(tx, [wanted]);
    });
  }
  return busy === 0;
}
