import type { Tx } from '#platform/db/tx.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { CredentialSlot } from '#modules/3-product/credentials/index.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { installRequestJob } from './install/install-job.ts';
import { installRequest } from './install/install-request.ts';
import { agentRequestHandlers } from './routes.ts';
import { announceLacking, resumeRequests, resumeSuspended, sweepRequests } from './install/resume-requests.ts';

/** Requests for agents: creation, decision by staff, and installation by the provisioning pipeline. */
export function agentRequests(deps: AgentRequestsDeps) {
  return {
    routes: agentRequestHandlers(deps),
    jobs: [handleJob(installRequestJob, ({ requestId }) => installRequest(deps, requestId))],
    crons: [defineCron('agent-requests.sweep', '* * * * *', (context) => sweepRequests(deps, context))],
    /** After credentials were saved: resumes installations that failed for want of one. */
    resume: (tx: Tx, slots: readonly CredentialSlot[]) => resumeRequests(deps, tx, slots),
    /** After credentials were removed: announces the open requests that may lack one now. */
    announceLacking: (tx: Tx, slots: readonly CredentialSlot[]) => announceLacking(tx, slots),
  };
}

export { resumeSuspended };

export type AgentRequests = ReturnType<typeof agentRequests>;
