import { compareFlow } from '@partner-portal/core/template/drift.ts';
import {
  externalConnectionId,
  flowFromTemplate,
  flowMetadata,
  type ImportFlow,
  type PieceVersions,
} from '@partner-portal/core/template/template.ts';
import type { EngineFlow } from '#adapters/engine-client.ts';
import { demandRunning, type Step, type StepContext } from '../attempt.ts';
import { providersOf } from '../credential-needs.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { planInstalls, type Planned } from './installs.ts';
import { AttemptOver } from '../step-failed.ts';
import { findFlowId, recordFlow, saveCopy, type Target } from '../store-workflows.ts';
import { projectOf } from './bind-credentials.ts';

/**
 * Creates each agent's flow, or updates the recorded one. The id is committed as soon as the flow exists, and before creating one the engine is
 * searched for a flow with our tag, so that a crash never leads to a second flow. A flow that matches its template is not changed.
 */
export const importFlows: Step = async (context) => {
  const { deps, attempt } = context;
  const projectId = projectOf(context);
  const planned = await planInstalls(context);
  const pieceVersions = await deps.engine.pieceVersions();
  const warnings: string[] = [];
  const done: { workflowId: string; clientId: string | null; templateName: string; templateVersion: number; did: string }[] = [];
  context.installs = [];
  for (const plan of planned) {
    const { target, bundle } = plan;
    const flow = expectedFlow(deps, plan, pieceVersions);
    const { current, did, warnings: raised } = await ensureFlow(context, projectId, plan);
    warnings.push(...raised);
    const same = compareFlow(flow, current.version).length === 0;
    if (!same) await deps.engine.importFlow(current.id, flow);
    await deps.db.asSystem('provisioning', async (tx) => {
      await demandRunning(tx, context);
      if (plan.replaces) await saveCopy(tx, attempt.partnerId, bundle);
    });
    context.installs.push({ target, bundle, flow, flowId: current.id, ...(same ? { unchanged: current } : {}) });
    done.push({
      workflowId: target.id,
      clientId: target.clientId,
      templateName: target.templateName,
      templateVersion: bundle.template.templateVersion,
      did: same ? 'unchanged' : did,
    });
  }
  return { summary: summaryOf(done.map((one) => one.did)), warnings, metadata: { templates: versionsOf(done), flows: done } };
};

/** The flow the engine must hold for an agent of this template. */
export function expectedFlow(
  { settings }: Pick<ProvisioningDeps, 'settings'>,
  { target, bundle }: Pick<Planned, 'target' | 'bundle'>,
  pieceVersions: PieceVersions,
): ImportFlow {
  const ids = providersOf(bundle.template).map((provider) => [provider, externalConnectionId(target.partnerId, target.clientId, provider)]);
  return flowFromTemplate(bundle.template, {
    internalApiUrl: settings.internalApiUrl,
    connectionIds: Object.fromEntries(ids),
    displayName: flowName(target),
    codeSources: bundle.sources,
    pieceVersions,
  });
}

/** The name contains the workflow's id, since the engine filters by name, not by tag. */
function flowName(target: { name: string; clientName: string | null; id: string }): string {
  return `${target.name} · ${target.clientName ?? 'agency'} · ${target.id}`;
}

async function ensureFlow(
  context: StepContext,
  projectId: string,
  { target, bundle }: Planned,
): Promise<{ current: EngineFlow; did: string; warnings: string[] }> {
  const { deps, attempt } = context;
  const metadata = flowMetadata({
    partnerId: target.partnerId,
    clientId: target.clientId,
    workflowId: target.id,
    templateName: target.templateName,
    templateVersion: bundle.template.templateVersion,
  });
  const { found, others } = await findFlows(deps, projectId, target);
  const current = found ?? (await deps.engine.createFlow({ projectId, displayName: flowName(target), metadata }));
  try {
    await deps.db.asSystem('provisioning', async (tx) => {
      await demandRunning(tx, context);
      if (current.id !== target.providerFlowId) await recordFlow(tx, attempt.partnerId, target.id, current.id);
    });
  } catch (error) {
    if (error instanceof AttemptOver && !found) await removeUnlessAdopted(context, target.id, current.id);
    throw error;
  }
  if (found && found.metadata?.['templateVersion'] !== metadata['templateVersion']) await deps.engine.setMetadata(found.id, metadata);
  const warnings: string[] = [];
  if (target.providerFlowId !== null && !found)
    warnings.push(`The flow of “${target.name}” was missing from the engine and was recreated.`);
  for (const { id } of others) {
    await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    if (await deps.engine.deleteFlow(id)) warnings.push(`The engine contained an extra flow of “${target.name}”. It was removed.`);
  }
  return { current, did: found ? 'updated' : 'created', warnings };
}

/**
 * Finds an agent's flows in the engine: the one to use (recorded, else one with our tag, preferably on), and extra ones left by a crash or in a
 * former project. One call; two when the recorded one is not listed.
 */
async function findFlows(
  { engine }: Pick<ProvisioningDeps, 'engine'>,
  projectId: string,
  target: Target,
): Promise<{ found: EngineFlow | undefined; others: EngineFlow[] }> {
  const isOwn = (tag: { readonly [key: string]: unknown }): boolean =>
    tag['workflowId'] === target.id && tag['partnerId'] === target.partnerId;
  const own = await engine.listFlows(projectId, target.id, isOwn);
  if (target.providerFlowId !== null && !own.some((flow) => flow.id === target.providerFlowId)) {
    // Renamed in the engine, or in another project. A flow with another tag is not touched.
    const recorded = await engine.getFlow(target.providerFlowId);
    if (recorded && isOwn(recorded.metadata ?? {})) own.push(recorded);
  }
  const usable = own.filter((flow) => flow.projectId === projectId);
  const found = usable.find((flow) => flow.id === target.providerFlowId) ?? usable.find((flow) => flow.status === 'ENABLED') ?? usable[0];
  return { found, others: own.filter((flow) => flow !== found) };
}

/** Removes a flow created by an attempt that has ended, unless the next attempt recorded it. */
async function removeUnlessAdopted({ deps, attempt }: StepContext, workflowId: string, flowId: string): Promise<void> {
  const recorded = await deps.db.asSystem('provisioning', (tx) => findFlowId(tx, attempt.partnerId, workflowId));
  if (recorded !== flowId) await deps.engine.deleteFlow(flowId);
}

function versionsOf(done: readonly { templateName: string; templateVersion: number }[]): { [name: string]: number } {
  return Object.fromEntries(done.map((one) => [one.templateName, one.templateVersion]));
}

function summaryOf(did: readonly string[]): string {
  const count = (word: string): string[] => {
    const n = did.filter((one) => one === word).length;
    return n === 0 ? [] : [`${n} ${word}`];
  };
  return ['created', 'updated', 'unchanged'].flatMap(count).join(', ') || 'Nothing to import';
}
