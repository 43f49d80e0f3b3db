import { setTimeout as wait } from 'node:timers/promises';
import { isEngineError } from '#adapters/engine-client.ts';
import type { Guard } from './bind-connection.ts';
import type { CredentialsDeps } from '../deps.ts';
import { forgetConnections } from './store-connections.ts';

const LOOK_AGAIN_MS = 200;

type Deps = Pick<CredentialsDeps, 'db' | 'engine'>;

/**
 * Forgets an agency's connections and deletes them in the engine, one by one: those on record, and those of the same prefix that a
 * lost answer left unrecorded. The row goes first, so that no save or sweep writes a key back; a writer that is under way is waited
 * for (its claim lapses after two minutes if it died). What a crash leaves behind is found again by its prefix.
 * Answers how many were deleted. Not inside a transaction; throws what the engine client throws. Source: product.md §9, row 10.
 */
export async function unbindConnections(
  deps: Deps,
  place: { partnerId: string; externalIdPrefix: string; projectId: string | null },
  guard: Guard,
): Promise<number> {
  const projectIds = new Set(place.projectId === null ? [] : [place.projectId]);
  for (;;) {
    const { forgotten, busy } = await deps.db.asSystem('provisioning', async (tx) => {
      await guard(tx);
      return forgetConnections(tx, place.partnerId);
    });
    for (const { projectId } of forgotten) projectIds.add(projectId);
    if (busy === 0) break;
    await wait(LOOK_AGAIN_MS);
  }
  let deleted = 0;
  for (const projectId of projectIds) {
    const held = await listHeld(deps, projectId);
    for (const { id } of held.filter((one) => one.externalId.startsWith(place.externalIdPrefix))) {
      await deps.db.asSystem('provisioning', guard);
      if (await deps.engine.deleteConnection(id)) deleted++;
    }
  }
  return deleted;
}

/** A project that is gone took its connections along. */
async function listHeld({ engine }: Deps, projectId: string): ReturnType<Deps['engine']['listConnections']> {
  try {
    return await engine.listConnections(projectId);
  } catch (error) {
    if (isEngineError(error, 'not_found')) return [];
    throw error;
  }
}
