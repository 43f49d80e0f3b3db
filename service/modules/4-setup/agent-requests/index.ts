import type { Tx } from '#platform/db/tx.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { installRequestJob } from './install/install-job.ts';
import { installRequest } from './install/install-request.ts';
import { agentRequestHandlers } from './routes.ts';
import { tellLacking } from './install/store-due.ts';
import { sweepRequests, wakeRequests } from './install/wake-requests.ts';

/** Who wants which agent for whom, what staff decided, and its installation by the pipeline. */
export function agentRequests(deps: AgentRequestsDeps) {
  return {
    routes: agentRequestHandlers(deps),
    jobs: [handleJob(installRequestJob, ({ requestId }) => installRequest(deps, requestId))],
    crons: [defineCron('agent-requests.sweep', '* * * * *', (context) => sweepRequests(deps, context))],
    /** Call in the transaction that saves a key: requests that failed for want of it go on by themselves. */
    wake: (tx: Tx, slot: { partnerId: string; clientId: string | null; provider: string }) => wakeRequests(deps, tx, slot),
    /** Call in the transaction that removes a key: whoever watches hears of the requests that may lack it now. */
    tellLacking: (tx: Tx, slot: { partnerId: string; clientId: string | null }) => tellLacking(tx, slot),
  };
}
