import { describeDefinition } from '@partner-portal/core/template/definition.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuse } from '#platform/refuse.ts';
import { listExecutionRows, toExecutionRecord } from '#modules/3-product/executions/index.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { latestVersion } from './read-automation.ts';
import { findWorkflow } from './store-views.ts';
import { listCopies } from '../store-workflows.ts';

const RUNS_SHOWN = 10;

/**
 * The read-only viewer: the installed definition (the partner's stored copy, else the catalog's) and the newest executions. Contains no engine id,
 * address, setting or key. For staff and the owning partner; `not_found` for others.
 */
export async function viewWorkflow(deps: Pick<ProvisioningDeps, 'db' | 'catalog'>, actor: Actor, partnerId: string, workflowId: string) {
  if (actor.role !== 'ADMIN' && partnerId !== actor.partnerId) return refuse('not_found');
  return inScope(deps.db, actor, partnerId, async (tx) => {
    const workflow = await findWorkflow(tx, partnerId, workflowId);
    if (!workflow) return refuse('not_found');
    const [copies, runs] = await Promise.all([
      listCopies(tx, partnerId, [workflow.templateName]),
      listExecutionRows(tx, { partnerId, workflowId }, null, RUNS_SHOWN),
    ]);
    const bundle = copies[0]?.definition ?? deps.catalog.find((one) => one.template.name === workflow.templateName);
    if (!bundle) return refuse('not_found', { detail: 'The template of this agent is no longer in the catalog.' });
    const definition = describeDefinition(bundle.template);
    const { workflowId: id, providerFlowId, ...facts } = workflow;
    const installed = providerFlowId !== null && workflow.templateVersion !== null;
    return {
      workflow: { ...facts, id, installed, latestTemplateVersion: latestVersion(deps, workflow), definition },
      definition,
      runs: runs.map(toExecutionRecord),
    };
  });
}
