import { connectionPrefix } from '@partner-portal/core/template/template.ts';
import { type EngineFlow, isEngineError, noneIfNotFound } from '#adapters/engine-client.ts';
import { demandRunning, type OwnFlow, type Step, type StepContext } from '../attempt.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { StepFailed } from '../step-failed.ts';
import { forgetProject } from '../store-attempts.ts';
import { forgetFlow, listAllTargets, type Target } from '../store-workflows.ts';
import { checkRebuild } from './check-rebuild.ts';
import { listOwnProjects } from './connect.ts';

/**
 * Removes everything of one partner from the engine. Agents, settings, ingest URLs and stored copies stay. Each step looks its objects up again and
 * treats missing ones as removed, so that a retry continues where one stopped.
 */

/** Disables the partner's flows, so that no new execution starts. A recreate first checks that it can rebuild. */
export const disableFlows: Step = async (context) => {
  const { deps, attempt } = context;
  // Checked first: finding an obstacle afterwards would leave the agents removed.
  if (attempt.mode === 'recreate') await checkRebuild(context);
  const ownFlows = await findOwnFlows(context);
  let switchedOff = 0;
  for (const { flowId } of ownFlows.filter((flow) => flow.isOn)) {
    await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    if (await switchOff(context, flowId)) switchedOff++;
    // Agents are down from here on, also when the next one cannot be reached.
    context.ownFlows = ownFlows;
  }
  context.ownFlows = ownFlows;
  return { summary: `${countOf(switchedOff, 'flow')} switched off`, metadata: { found: ownFlows.length, switchedOff } };
};

/** Deletes each flow and its record, once its runs have ended: from then on the agent refuses events as not installed. */
export const deleteFlows: Step = async (context) => {
  const { deps, attempt, signal } = context;
  if (context.ownFlows === null) throw new Error('Flows are deleted before they were listed.');
  await deps.awaitUnderWay(attempt.partnerId, signal);
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

/** One by one, by the partner's name prefix: in shared tenancy a project holds connections of all partners. */
export const deleteConnections: Step = async (context) => {
  const { partnerId } = context.attempt;
  const place = { partnerId, externalIdPrefix: connectionPrefix(partnerId), projectId: context.projectId };
  const deleted = await context.deps.credentials.unbindConnections(place, (tx) => demandRunning(tx, context));
  return { summary: `${countOf(deleted, 'connection')} deleted`, metadata: { deleted } };
};

/**
 * Shared: deletes nothing. Project: deletes the partner's own project, identified by the id in its name; the recorded id alone may be that of the
 * shared project. After a change from shared to project tenancy the agency may have a project before it is recorded: a recreate made it and is about to
 * use it, or failed and left it.
 */
export const deleteTenant: Step = async (context) => {
  const { deps, attempt } = context;
  if (attempt.tenancyMode === 'shared' && (attempt.mode === 'recreate' || deps.settings.tenancyMode === 'shared'))
    return { summary: 'Shared, nothing deleted' };
  const own = await listOwnProjects(context);
  for (const { id } of own) {
    if (id === deps.settings.engineProjectId()) {
      throw new StepFailed({
        internal: `The project ${id} is named as this partner’s own, but is the shared one (AUTOMATION_ENGINE_PROJECT_ID).`,
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

/** Flows of all its agents: recorded ones and others with their tag. At most two calls per agent. */
async function findOwnFlows(context: StepContext): Promise<OwnFlow[]> {
  const { deps, attempt } = context;
  const workflows = await deps.db.asSystem('provisioning', (tx) => listAllTargets(tx, attempt.partnerId));
  const found: OwnFlow[] = [];
  for (const workflow of workflows) {
    for (const flow of await findFlowsOf(placeOf(context), workflow)) {
      found.push({ workflowId: workflow.id, flowId: flow.id, isOn: flow.status === 'ENABLED' });
    }
  }
  return found;
}

/** The scope in which a partner's flows are searched for. */
export type EnginePlace = { engine: ProvisioningDeps['engine']; partnerId: string; projectId: string | null };

const placeOf = ({ deps, attempt, projectId }: StepContext): EnginePlace => ({
  engine: deps.engine,
  partnerId: attempt.partnerId,
  projectId,
});

/** Flows of one workflow, by its tag and by its recorded id. */
export async function findFlowsOf(
  { engine, partnerId, projectId }: EnginePlace,
  workflow: Pick<Target, 'id' | 'providerFlowId'>,
): Promise<EngineFlow[]> {
  const isOwn = (tag: { readonly [key: string]: unknown }): boolean => tag['workflowId'] === workflow.id && tag['partnerId'] === partnerId;
  const tagged = projectId === null ? [] : await noneIfNotFound(engine.listFlows(projectId, workflow.id, isOwn));
  if (workflow.providerFlowId === null || tagged.some((flow) => flow.id === workflow.providerFlowId)) return tagged;
  // Renamed in the engine, or in another project than the recorded one.
  const recorded = await orNull(engine.getFlow(workflow.providerFlowId));
  return recorded && isOwn(recorded.metadata ?? {}) ? [...tagged, recorded] : tagged;
}

/** An id of another form than the engine's own is refused before it is looked up: the engine has no such flow. */
async function orNull(flow: Promise<EngineFlow | null>): Promise<EngineFlow | null> {
  try {
    return await flow;
  } catch (error) {
    if (isEngineError(error, 'refused') && error.status === 400) return null;
    throw error;
  }
}

/** False when it was already deleted. */
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
