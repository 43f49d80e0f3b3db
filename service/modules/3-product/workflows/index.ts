import { defineCron } from '#platform/jobs/define-job.ts';
import { pollBookings, type PollDeps } from './schedules/poll-bookings.ts';
import type { WorkflowDeps } from './read-workflows.ts';
import { forgetOldPlanned, runDuePlanned } from './schedules/run-planned.ts';
import { runDueSchedules, type RunSchedulesDeps } from './schedules/run-schedules.ts';
import { workflowHandlers } from './routes.ts';

/** Workflows, the technical view: definition, ingest URL, schedule. Their executions belong to the module executions. */
export function workflows(deps: WorkflowDeps & RunSchedulesDeps & PollDeps) {
  return {
    routes: workflowHandlers(deps),
    // Schedules are due on whole minutes; each run also claims expired leases.
    crons: [
      defineCron('workflows.run-schedules', '* * * * *', async () => void (await runDueSchedules(deps))),
      defineCron('workflows.run-planned', '* * * * *', async () => void (await runDuePlanned(deps))),
      // A cron of its own, so that a slow provider delays no schedule.
      defineCron('workflows.look-at-bookings', '* * * * *', async () => {
        // Reminders found late are due at once.
        if ((await pollBookings(deps)) > 0) await runDuePlanned(deps);
      }),
      defineCron('workflows.forget-planned', '41 * * * *', () => forgetOldPlanned(deps)),
    ],
    runDueSchedules: () => runDueSchedules(deps),
    runDuePlanned: () => runDuePlanned(deps),
    pollBookings: () => pollBookings(deps),
    forgetOldPlanned: () => forgetOldPlanned(deps),
  };
}

export type Workflows = ReturnType<typeof workflows>;
