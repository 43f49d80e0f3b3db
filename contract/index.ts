import { agentRequestRoutes } from './routes/agent-requests.ts';
import { agentRoutes } from './routes/agents.ts';
import { authRoutes } from './routes/auth.ts';
import { automationRoutes } from './routes/automation.ts';
import { clientRoutes } from './routes/clients.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { executionRoutes } from './routes/executions.ts';
import { healthRoutes } from './routes/health.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { meteringRoutes } from './routes/metering.ts';
import { partnerRoutes } from './routes/partners.ts';
import { planRoutes } from './routes/plans.ts';
import { provisioningRoutes } from './routes/provisioning.ts';
import { userRoutes } from './routes/users.ts';
import { workflowRoutes } from './routes/workflows.ts';

/** The route table: every route of the API, by name. The server binds exactly these, the client calls exactly these. */
export const routes = {
  ...authRoutes,
  ...partnerRoutes,
  ...clientRoutes,
  ...userRoutes,
  ...planRoutes,
  ...invitationRoutes,
  ...agentRoutes,
  ...agentRequestRoutes,
  ...workflowRoutes,
  ...executionRoutes,
  ...automationRoutes,
  ...provisioningRoutes,
  ...credentialRoutes,
  ...meteringRoutes,
  ...healthRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
