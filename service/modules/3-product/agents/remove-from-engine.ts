import type { Template } from '@partner-portal/core/template/types.ts';
import { type EngineFlow, noneIfNotFound } from '#adapters/engine-client.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { claimRemovals, endRemoval, findRemoval, postponeRemoval, type Removal, type StoredNeed } from './store-removals.ts';

export type RemovalDeps = {
  db: Database;
  log: Log;
  templateOf: (name: string) => Template | undefined;
  /** Engine calls; each throws when the engine fails. */
  engine: {
    listFlows(projectId: string, name: string, matches: (tag: { readonly [key: string]: unknown }) => boolean): Promise<EngineFlow[]>;
    getFlow(flowId: string): Promise<EngineFlow | null>;
    deleteFlow(flowId: string): Promise<boolean>;
  };
  /** Deletes connections that no agent of this owner needs; false when it must be called again. */
  unbindUnneeded(slot: { partnerId: string; clientId: string | null; provider: StoredNeed }): Promise<boolean>;
};

export const REMOVAL_LEASE_SECONDS = 180;
const RUNNING_MS = 15_000;
const FIRST_WAIT_MS = 10_000;
const WAIT_MS_MAX = 15 * 60_000;
const BATCH = 50;

/**
 * Removes a deleted agent from the engine: its flow (the recorded one and any that carries its tag), then connections that no other agent
 * needs. Waits while its executions are in progress, since deleting the flow would end them. Safe to repeat; failures are retried by the sweep.
 */
export async function removeFromEngine(deps: RemovalDeps, workflowId: string): Promise<void> {
  const removal = await deps.db.asSystem('provisioning', (tx) => findRemoval(tx, workflowId));
  if (!removal) return;
  if (removal.running > 0) return postpone(deps, removal, RUNNING_MS, null);
  try {
    for (const flowId of await flowsOf(deps, removal)) await deps.engine.deleteFlow(flowId);
    const needs = (deps.templateOf(removal.templateName)?.requiredConnections ?? []).filter((provider) => provider !== 'code');
    const { partnerId, clientId } = removal;
    let isDone = true;
    for (const provider of needs) isDone = (await deps.unbindUnneeded({ partnerId, clientId, provider })) && isDone;
    if (!isDone) return await postpone(deps, removal, RUNNING_MS, null);
    await deps.db.asSystem('provisioning', (tx) => endRemoval(tx, workflowId));
  } catch (error) {
    deps.log.warn({ err: error, workflowId }, 'could not remove a deleted agent from the engine');
    const waitMs = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.min(removal.attempts, 10));
    await postpone(deps, removal, waitMs, error instanceof Error ? error.message.slice(0, 1000) : 'unknown');
  }
}

/** Retries unfinished removals: the engine was down, executions were in progress, or a process crashed. */
export async function sweepRemovals(deps: RemovalDeps): Promise<number> {
  const ids = await deps.db.asSystem('provisioning', (tx) => claimRemovals(tx, BATCH, REMOVAL_LEASE_SECONDS));
  for (const id of ids) await removeFromEngine(deps, id);
  return ids.length;
}

async function flowsOf({ engine }: RemovalDeps, { workflowId, partnerId, projectId, providerFlowId }: Removal): Promise<Set<string>> {
  const isOwn = (tag: { readonly [key: string]: unknown }): boolean => tag['workflowId'] === workflowId && tag['partnerId'] === partnerId;
  const tagged = projectId === null ? [] : await noneIfNotFound(engine.listFlows(projectId, workflowId, isOwn));
  const ids = new Set(tagged.map((flow) => flow.id));
  if (providerFlowId !== null && !ids.has(providerFlowId)) {
    // Renamed in the engine, or in another project than recorded. Only a flow with its tag is deleted.
    const recorded = await engine.getFlow(providerFlowId);
    if (recorded && isOwn(recorded.metadata ?? {})) ids.add(recorded.id);
  }
  return ids;
}

async function postpone(deps: RemovalDeps, { workflowId }: Removal, waitMs: number, error: string | null): Promise<void> {
  await deps.db.asSystem('provisioning', (tx) => postponeRemoval(tx, workflowId, waitMs, error));
}
