import { defineHandlers } from '#platform/http/context.ts';
import { getWorkflow, listWorkflows, readIngestUrl, type WorkflowDeps } from './read-workflows.ts';

/** Workflows, the technical view: definition and ingest URL. Their runs are the module executions. */
export function workflows(deps: WorkflowDeps) {
  return {
    routes: defineHandlers({
      listWorkflows: ({ query }, { actor }) => listWorkflows(deps, actor, query),
      getWorkflow: ({ params }, { actor }) => getWorkflow(deps, actor, params.id),
      getIngestUrl: ({ params }, context) => readIngestUrl(deps, context, params.workflowId),
    }),
  };
}
