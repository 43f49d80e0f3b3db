import { connectionPrefix } from '@partner-portal/core/template/template.ts';
import { type EngineFlow, isEngineError } from '#adapters/engine-client.ts';
import { demandRunning, type OwnFlow, type Step, type StepContext } from '../attempts/attempt.ts';
import { StepFailed } from '../attempts/step-failed.ts';
import { forgetProject } from '../attempts/store-attempts.ts';
import { forgetFlow, listAllTargets, type Target } from '../attempts/store-workflows.ts';
import { listOwnProjects, verifyConnectivity } from './connect.ts';
import { featureGate, partnerLookup } from './prepare.ts';
import { resolveCredentials } from './resolve-credentials.ts';

/**
 * The teardown: everything of one agency leaves the engine, and nothing of anybody else's. Agents, their settings, ingest URLs and
 * stored copies stay. Each step finds its things anew and takes what is gone for done, so that a retry goes on where one stopped.
 */

/** Switches the agency's flows off, so that no new run starts. A recreate looks first whether it could build again. */
export const disableFlows: Step = async (context) => {
  const { deps, attempt } = context;
  // What a teardown has removed is not brought back by learning afterwards that a key is missing or the engine is switched off.
  if (attempt.mode === 'recreate')
    for (const look of [featureGate, partnerLookup, verifyConnectivity, resolveCredentials]) await look(context);
  const ownFlows = await findOwnFlows(context);
  let switchedOff = 0;
  for (const { flowId } of ownFlows.filter((flow) => flow.isOn)) {
    await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    if (await switchOff(context, flowId)) switchedOff++;
  }
  context.ownFlows = ownFlows;
  return { summary: `${countOf(switchedOff, 'flow')} switched off`, metadata: { found: ownFlows.length, switchedOff } };
};

/** Deletes each flow and forgets it at once: from then on the agent refuses events as one that is not installed. */
export const deleteFlows: Step = async (context) => {
  const { deps, attempt } = context;
  if (context.ownFlows === null) throw new Error('Flows are deleted before they were looked for.');
  const byWorkflow = Map.groupBy(context.ownFlows, (flow) => flow.workflowId);
  const workflows = await deps.db.asSystem('provisioning', (tx) => listAllTargets(tx, attempt.partnerId));
  let deleted = 0;
  for (const { id } of workflows) {
    for (const { flowId } of byWorkflow.get(id) ?? []) {
      await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
      if (await deps.engine.deleteFlow(flowId)) deleted++;
    }
    await deps.db.asSystem('provisioning', async (tx) => {
      await demandRunning(tx, context);
      await forgetFlow(tx, attempt.partnerId, id);
    });
  }
  return { summary: `${countOf(deleted, 'flow')} deleted`, metadata: { deleted } };
};

/** One by one, by the names that only this agency's have: in shared tenancy they lie among everybody's. */
export const deleteConnections: Step = async (context) => {
  const { partnerId } = context.attempt;
  const place = { partnerId, externalIdPrefix: connectionPrefix(partnerId), projectId: context.projectId };
  const deleted = await context.deps.credentials.unbindConnections(place, (tx) => demandRunning(tx, context));
  return { summary: `${countOf(deleted, 'connection')} deleted`, metadata: { deleted } };
};

/**
 * Shared: nothing. Project: the agency's own project, known by the id in its name; the recorded id alone is not believed, since it
 * may be the project of everybody (an attempt that changed the tenancy and failed). Source: specification, Tenancy modes.
 */
export const deleteTenant: Step = async (context) => {
  const { deps, attempt } = context;
  if (attempt.tenancyMode === 'shared') return { summary: 'Shared, nothing deleted' };
  const own = await listOwnProjects(context);
  for (const { id } of own) {
    if (id === deps.settings.engineProjectId()) {
      throw new StepFailed({
        internal: `The project ${id} is named as this partner's own, but is the shared one (AUTOMATION_ENGINE_PROJECT_ID).`,
        public: 'Your space on the automation platform could not be removed. Please contact support.',
      });
    }
    await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    await deps.engine.deleteProject(id);
  }
  context.projectId = null;
  return {
    summary: own.length === 0 ? 'Own project was gone' : 'Own project deleted',
    metadata: { projects: own.map((project) => project.id) },
    write: (tx) => forgetProject(tx, { partnerId: attempt.partnerId, attemptId: attempt.id }),
  };
};

/** The flows of all its agents: the recorded ones, and whatever else carries their tag. Two calls per agent at most. */
async function findOwnFlows(context: StepContext): Promise<OwnFlow[]> {
  const { deps, attempt } = context;
  const workflows = await deps.db.asSystem('provisioning', (tx) => listAllTargets(tx, attempt.partnerId));
  const found: OwnFlow[] = [];
  for (const workflow of workflows) {
    for (const flow of await findFlowsOf(context, workflow)) {
      found.push({ workflowId: workflow.id, flowId: flow.id, isOn: flow.status === 'ENABLED' });
    }
  }
  return found;
}

async function findFlowsOf({ deps, attempt, projectId }: StepContext, workflow: Target): Promise<EngineFlow[]> {
  const isOwn = (tag: { readonly [key: string]: unknown }): boolean =>
    tag['workflowId'] === workflow.id && tag['partnerId'] === attempt.partnerId;
  const tagged = projectId === null ? [] : await orNone(deps.engine.listFlows(projectId, workflow.id, isOwn));
  if (workflow.providerFlowId === null || tagged.some((flow) => flow.id === workflow.providerFlowId)) return tagged;
  // Renamed in the engine, or in another project than the one on record.
  const recorded = await deps.engine.getFlow(workflow.providerFlowId);
  return recorded && isOwn(recorded.metadata ?? {}) ? [...tagged, recorded] : tagged;
}

/** A project that is gone took its flows along. */
async function orNone(flows: Promise<EngineFlow[]>): Promise<EngineFlow[]> {
  try {
    return await flows;
  } catch (error) {
    if (isEngineError(error, 'not_found')) return [];
    throw error;
  }
}

/** False when it was gone meanwhile. */
async function switchOff({ deps }: StepContext, flowId: string): Promise<boolean> {
  try {
    await deps.engine.changeStatus(flowId, 'DISABLED');
    return true;
  } catch (error) {
    if (isEngineError(error, 'not_found')) return false;
    throw error;
  }
}

function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
