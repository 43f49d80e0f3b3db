import { defineCron } from '#platform/jobs/define-job.ts';
import type { DeleteDeps } from './delete-agent.ts';
import type { PreviewDeps } from './preview-agent.ts';
import { sweepRemovals } from './remove-from-engine.ts';
import { agentHandlers } from './routes.ts';

export { lockAndFind as lockAgent, readConfig, saveChange as saveAgentChange } from './change-agent.ts';
export { removeAgent } from './delete-agent.ts';
export { ensureAgent } from './ensure-agent.ts';
export { type AgentDeps, listAgents } from './list-agents.ts';
export { readFirstTexts } from './read-first-texts.ts';
export { type AgentRow, findAgent } from './store.ts';

/** Agents: the business view of workflows (same row, same id). */
export function agents(deps: PreviewDeps & DeleteDeps) {
  return {
    routes: agentHandlers(deps),
    crons: [defineCron('agents.sweep-removals', '* * * * *', async () => void (await sweepRemovals(deps)))],
    sweepRemovals: () => sweepRemovals(deps),
  };
}

export type Agents = ReturnType<typeof agents>;
