import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { connectionPrefix } from '@partner-portal/core/template/template.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { findInstance } from '../views/store-views.ts';
import { isInEngine, listEngineTargets } from './store-account.ts';
import { findFlowsOf } from './tear-down.ts';

type Account = { partnerId: string; clientId: string | null };

/**
 * Removes an agency, or one of its clients, from the engine: flows with their runs, connections, and an agency's own projects. For accounts
 * that are deleted; without an attempt, since no one may request one any more. `busy` while a setup runs that could rebuild the removed parts.
 * Calls `guard` before each change. Safe to repeat; throws what the engine client throws.
 */
export async function tearDownAccount(
  deps: ProvisioningDeps,
  account: Account,
  guard: (tx: SystemTx) => Promise<void>,
): Promise<{ removed: number; isBusy: boolean }> {
  const { partnerId, clientId } = account;
  const found = await deps.db.asSystem('provisioning', async (tx) => ({
    instance: await findInstance(tx, partnerId),
    targets: await listEngineTargets(tx, account),
    isInEngine: await isInEngine(tx, account),
  }));
  const { instance, targets } = found;
  if (instance && isHeld(instance.status)) return { removed: 0, isBusy: true };
  // Never set up, or taken out completely: the engine is not asked, so that a service without one can delete accounts.
  if (!found.isInEngine) return { removed: 0, isBusy: false };
  const projectId = instance?.projectId ?? deps.settings.engineProjectId();
  let removed = 0;
  for (const target of targets) {
    for (const flow of await findFlowsOf({ engine: deps.engine, partnerId, projectId }, target)) {
      await deps.db.asSystem('provisioning', guard);
      if (await deps.engine.deleteFlow(flow.id)) removed += 1;
    }
  }
  const owner = clientId === null ? '' : `c${clientId.replaceAll('-', '')}_`;
  const place = { partnerId, clientId, externalIdPrefix: `${connectionPrefix(partnerId)}${owner}`, projectId };
  removed += await deps.credentials.unbindConnections(place, guard);
  if (clientId === null) removed += await deleteOwnProjects(deps, partnerId, guard);
  return { removed, isBusy: false };
}

/** A project of its own is named by the agency's id. */
async function deleteOwnProjects(deps: ProvisioningDeps, partnerId: string, guard: (tx: SystemTx) => Promise<void>): Promise<number> {
  const named = await deps.engine.listProjects(partnerId);
  let removed = 0;
  for (const project of named) {
    if (!project.displayName.endsWith(` ${partnerId}`) || project.id === deps.settings.engineProjectId()) continue;
    await deps.db.asSystem('provisioning', guard);
    if (await deps.engine.deleteProject(project.id)) removed += 1;
  }
  return removed;
}
