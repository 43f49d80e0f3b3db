import { defineHandlers } from '#platform/http/context.ts';
import { deleteSchedule, putSchedule, readSchedule } from './schedules/change-schedule.ts';
import { exportWorkflows } from './export-workflows.ts';
import { getWorkflow, listWorkflows, readIngestUrl, type WorkflowDeps } from './read-workflows.ts';
import type { RunSchedulesDeps } from './schedules/run-schedules.ts';

export function workflowHandlers(deps: WorkflowDeps & RunSchedulesDeps) {
  return defineHandlers({
    listWorkflows: ({ query }, { actor }) => listWorkflows(deps, actor, query),
    exportWorkflows: ({ query }, context) => exportWorkflows(deps, context, query),
    getWorkflow: ({ params }, { actor }) => getWorkflow(deps, actor, params.id),
    getIngestUrl: ({ params }, context) => readIngestUrl(deps, context, params.workflowId),
    getSchedule: ({ params }, { actor }) => readSchedule(deps, actor, params.id),
    putSchedule: ({ params, body }, context) => putSchedule(deps, context, params.id, body),
    deleteSchedule: ({ params }, context) => deleteSchedule(deps, context, params.id),
  });
}
