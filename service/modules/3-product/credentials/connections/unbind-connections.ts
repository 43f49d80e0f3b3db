import { setTimeout as wait } from 'node:timers/promises';
import { noneIfNotFound } from '#adapters/engine-client.ts';
import type { Guard } from './bind-connection.ts';
import type { CredentialsDeps } from '../deps.ts';
import { forgetConnections } from '../store-connections.ts';

const POLL_MS = 200;

type Deps = Pick<CredentialsDeps, 'db' | 'engine'>;

/** A partner's connections, or those of one of its clients; the prefix of their names says the same. */
export type ConnectionPlace = { partnerId: string; clientId?: string | null; externalIdPrefix: string; projectId: string | null };

/**
 * Deletes a partner's connections: the recorded ones and, by their prefix, those whose record was lost. Rows are deleted first, so that no
 * save or sweep writes a key back; a writer in progress is waited for (its lease expires after two minutes). Returns how many were deleted
 * in the engine. Not inside a transaction; throws what the engine client throws.
 */
export async function unbindConnections(deps: Deps, place: ConnectionPlace, guard: Guard): Promise<number> {
  const projectIds = new Set(place.projectId === null ? [] : [place.projectId]);
  for (;;) {
    const { forgotten, busy } = await deps.db.asSystem('provisioning', async (tx) => {
      await guard(tx);
      return forgetConnections(tx, place.partnerId, place.clientId ?? null);
    });
    for (const { projectId } of forgotten) projectIds.add(projectId);
    if (busy === 0) break;
    await wait(POLL_MS);
  }
  let deleted = 0;
  for (const projectId of projectIds) {
    const held = await noneIfNotFound(deps.engine.listConnections(projectId));
    for (const { id } of held.filter((one) => one.externalId.startsWith(place.externalIdPrefix))) {
      await deps.db.asSystem('provisioning', guard);
      if (await deps.engine.deleteConnection(id)) deleted++;
    }
  }
  return deleted;
}
