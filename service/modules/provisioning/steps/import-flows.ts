import { compareFlow } from '@house/core/template-drift.ts';
import { externalConnectionId, flowFromTemplate, flowMetadata, type ImportFlow, type PieceVersions } from '@house/core/template.ts';
import type { EngineFlow } from '#adapters/engine-client.ts';
import { demandRunning, type Step, type StepContext } from '../attempt.ts';
import { providersOf } from '../credential-needs.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { planInstalls, type Planned } from '../installs.ts';
import { AttemptOver } from '../step-failed.ts';
import { findFlowId, recordFlow, recordVersion, saveCopy } from '../store-workflows.ts';
import { projectOf } from './bind-credentials.ts';

/**
 * Creates each agent's flow, or updates the one that is recorded for it. The id is committed the moment the flow exists, and
 * before creating one the engine is searched for a flow with our tag: whatever a crash left behind is found again, so that
 * there is never a second flow for one agent. A flow that already is what the template says is left alone.
 */
export const importFlows: Step = async (context) => {
  const { deps, attempt } = context;
  const projectId = projectOf(context);
  const planned = await planInstalls(context);
  const pieceVersions = await deps.engine.pieceVersions();
  const warnings: string[] = [];
  const done: { workflowId: string; templateName: string; templateVersion: number; did: string }[] = [];
  context.installs = [];
  for (const plan of planned) {
    const { target, bundle } = plan;
    const flow = expectedFlow(deps, plan, pieceVersions);
    const { current, did, warning } = await ensureFlow(context, projectId, plan);
    if (warning !== null) warnings.push(warning);
    const same = compareFlow(flow, current.version).length === 0;
    if (!same) await deps.engine.importFlow(current.id, flow);
    await deps.db.asSystem('provisioning', async (tx) => {
      await demandRunning(tx, context);
      if (plan.replaces) await saveCopy(tx, attempt.partnerId, bundle);
      await recordVersion(tx, attempt.partnerId, target.id, bundle.template.templateVersion);
    });
    context.installs.push({ target, bundle, flow, flowId: current.id });
    done.push({
      workflowId: target.id,
      templateName: target.templateName,
      templateVersion: bundle.template.templateVersion,
      did: same ? 'unchanged' : did,
    });
  }
  return { summary: summaryOf(done.map((one) => one.did)), warnings, metadata: { templates: versionsOf(done), flows: done } };
};

/** What the engine must hold for an agent that is installed from this template. */
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

/** The workflow's id in the name is what makes the flow findable: the engine filters by name, not by tag. */
function flowName(target: { name: string; clientName: string | null; id: string }): string {
  return `${target.name} · ${target.clientName ?? 'agency'} · ${target.id}`;
}

async function ensureFlow(
  context: StepContext,
  projectId: string,
  { target, bundle }: Planned,
): Promise<{ current: EngineFlow; did: string; warning: string | null }> {
  const { deps, attempt } = context;
  const metadata = flowMetadata({
    partnerId: target.partnerId,
    clientId: target.clientId,
    workflowId: target.id,
    templateName: target.templateName,
    templateVersion: bundle.template.templateVersion,
  });
  const recorded = target.providerFlowId === null ? null : await deps.engine.getFlow(target.providerFlowId);
  if (recorded) {
    if (recorded.metadata?.['templateVersion'] !== metadata['templateVersion']) await deps.engine.setMetadata(recorded.id, metadata);
    return { current: recorded, did: 'updated', warning: null };
  }
  const found = await deps.engine.findFlow(projectId, target.id, (tag) => tag['workflowId'] === target.id);
  const current = found ?? (await deps.engine.createFlow({ projectId, displayName: flowName(target), metadata }));
  try {
    await deps.db.asSystem('provisioning', async (tx) => {
      await demandRunning(tx, context);
      await recordFlow(tx, attempt.partnerId, target.id, current.id);
    });
  } catch (error) {
    if (error instanceof AttemptOver && !found) await removeUnlessAdopted(context, target.id, current.id);
    throw error;
  }
  const vanished = target.providerFlowId !== null && !found;
  const warning = vanished ? `The flow of “${target.name}” was gone from the engine. It was made anew.` : null;
  return { current, did: found ? 'updated' : 'created', warning };
}

/** Made by an attempt that is over by now: nobody knows of it, unless the next attempt has found it by its tag. */
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
