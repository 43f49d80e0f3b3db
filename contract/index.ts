import { agentRequestRoutes } from './routes/agent-requests.ts';
import { agentRoutes } from './routes/agents.ts';
import { alertRoutes } from './routes/alerts.ts';
import { auditLogRoutes } from './routes/audit-log.ts';
import { authRoutes } from './routes/auth.ts';
import { automationRoutes } from './routes/automation.ts';
import { billingRoutes } from './routes/billing.ts';
import { clientRoutes } from './routes/clients.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { executionRoutes } from './routes/executions.ts';
import { healthRoutes } from './routes/health.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { mailRoutes } from './routes/mail.ts';
import { meteringRoutes } from './routes/metering.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { partnerRoutes } from './routes/partners.ts';
import { planRequestRoutes } from './routes/plan-requests.ts';
import { planRoutes } from './routes/plans.ts';
import { provisioningRoutes } from './routes/provisioning.ts';
import { ssoRoutes } from './routes/sso.ts';
import { teamRoutes } from './routes/team.ts';
import { systemRoutes } from './routes/system.ts';
import { userRoutes } from './routes/users.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workflowRoutes } from './routes/workflows.ts';

/** The route table: every route of the API, by name. */
export const routes = {
  ...authRoutes,
  ...partnerRoutes,
  ...clientRoutes,
  ...teamRoutes,
  ...ssoRoutes,
  ...userRoutes,
  ...planRoutes,
  ...planRequestRoutes,
  ...billingRoutes,
  ...invitationRoutes,
  ...agentRoutes,
  ...agentRequestRoutes,
  ...workflowRoutes,
  ...executionRoutes,
  ...automationRoutes,
  ...provisioningRoutes,
  ...credentialRoutes,
  ...meteringRoutes,
  ...webhookRoutes,
  ...auditLogRoutes,
  ...mailRoutes,
  ...alertRoutes,
  ...notificationRoutes,
  ...healthRoutes,
  ...systemRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
