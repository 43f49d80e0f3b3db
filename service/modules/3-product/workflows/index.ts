import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { deleteSchedule, putSchedule, readSchedule } from './schedules/change-schedule.ts';
import { exportWorkflows } from './export-workflows.ts';
import { lookAtBookings, type LookDeps } from './schedules/look-at-bookings.ts';
import { getWorkflow, listWorkflows, readIngestUrl, type WorkflowDeps } from './read-workflows.ts';
import { forgetOldPlanned, runDuePlanned } from './schedules/run-planned.ts';
import { runDueSchedules, type RunSchedulesDeps } from './schedules/run-schedules.ts';

/** Workflows, the technical view: definition, ingest URL, schedule. Their runs are the module executions. */
export function workflows(deps: WorkflowDeps & RunSchedulesDeps & LookDeps) {
  return {
    routes: defineHandlers({
      listWorkflows: ({ query }, { actor }) => listWorkflows(deps, actor, query),
      exportWorkflows: ({ query }, context) => exportWorkflows(deps, context, query),
      getWorkflow: ({ params }, { actor }) => getWorkflow(deps, actor, params.id),
      getIngestUrl: ({ params }, context) => readIngestUrl(deps, context, params.workflowId),
      getSchedule: ({ params }, { actor }) => readSchedule(deps, actor, params.id),
      putSchedule: ({ params, body }, context) => putSchedule(deps, context, params.id, body),
      deleteSchedule: ({ params }, context) => deleteSchedule(deps, context, params.id),
    }),
    // Schedules strike on whole minutes, and the same look takes up what a dead process left behind.
    crons: [
      defineCron('workflows.run-schedules', '* * * * *', async () => void (await runDueSchedules(deps))),
      defineCron('workflows.run-planned', '* * * * *', async () => void (await runDuePlanned(deps))),
      // Of its own, so that a slow provider holds up no schedule.
      defineCron('workflows.look-at-bookings', '* * * * *', async () => {
        // What was found late is due already.
        if ((await lookAtBookings(deps)) > 0) await runDuePlanned(deps);
      }),
      defineCron('workflows.forget-planned', '41 * * * *', () => forgetOldPlanned(deps)),
    ],
    runDueSchedules: () => runDueSchedules(deps),
    runDuePlanned: () => runDuePlanned(deps),
    lookAtBookings: () => lookAtBookings(deps),
    forgetOldPlanned: () => forgetOldPlanned(deps),
  };
}

export type Workflows = ReturnType<typeof workflows>;
