import { accountExportRoutes } from './routes/account-export.ts';
import { accountRoutes } from './routes/account.ts';
import { agentRequestRoutes } from './routes/agent-requests.ts';
import { agentRoutes } from './routes/agents.ts';
import { aiProxyRoutes } from './routes/ai-proxy.ts';
import { alertRoutes } from './routes/alerts.ts';
import { auditLogRoutes } from './routes/audit-log.ts';
import { authRoutes } from './routes/auth.ts';
import { automationRoutes } from './routes/automation.ts';
import { billingRoutes } from './routes/billing.ts';
import { chatbotBudgetRoutes } from './routes/chatbot-budgets.ts';
import { chatbotPreviewRoutes } from './routes/chatbot-preview.ts';
import { chatbotPublicRoutes } from './routes/chatbot-public.ts';
import { chatbotKnowledgeRoutes } from './routes/chatbot-knowledge.ts';
import { chatbotSettingsRoutes } from './routes/chatbot-settings.ts';
import { clientImportRoutes } from './routes/client-import.ts';
import { clientRoutes } from './routes/clients.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { domainRoutes } from './routes/domains.ts';
import { executionRoutes } from './routes/executions.ts';
import { healthRoutes } from './routes/health.ts';
import { installRoutes } from './routes/install.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { mailRoutes } from './routes/mail.ts';
import { mediaRoutes } from './routes/media.ts';
import { meteringRoutes } from './routes/metering.ts';
import { nameReviewRoutes } from './routes/name-reviews.ts';
import { newsletterRoutes } from './routes/newsletter.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { onboardingRoutes } from './routes/onboarding.ts';
import { partnerRoutes } from './routes/partners.ts';
import { planRequestRoutes } from './routes/plan-requests.ts';
import { planRoutes } from './routes/plans.ts';
import { provisioningRoutes } from './routes/provisioning.ts';
import { reportRoutes } from './routes/reports.ts';
import { sampleDataRoutes } from './routes/sample-data.ts';
import { savedFilterRoutes } from './routes/saved-filters.ts';
import { ssoRoutes } from './routes/sso.ts';
import { teamRoutes } from './routes/team.ts';
import { systemRoutes } from './routes/system.ts';
import { stopListRoutes } from './routes/stop-list.ts';
import { textSuggestionRoutes } from './routes/text-suggestions.ts';
import { togetherRoutes } from './routes/together.ts';
import { trustRoutes } from './routes/trust.ts';
import { userRoutes } from './routes/users.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workflowRoutes } from './routes/workflows.ts';

/** The route table: every route of the API, by name. */
export const routes = {
  ...authRoutes,
  ...partnerRoutes,
  ...onboardingRoutes,
  ...domainRoutes,
  ...clientRoutes,
  ...reportRoutes,
  ...clientImportRoutes,
  ...teamRoutes,
  ...ssoRoutes,
  ...userRoutes,
  ...sampleDataRoutes,
  ...savedFilterRoutes,
  ...planRoutes,
  ...planRequestRoutes,
  ...billingRoutes,
  ...invitationRoutes,
  ...agentRoutes,
  ...agentRequestRoutes,
  ...stopListRoutes,
  ...textSuggestionRoutes,
  ...trustRoutes,
  ...installRoutes,
  ...workflowRoutes,
  ...executionRoutes,
  ...automationRoutes,
  ...provisioningRoutes,
  ...nameReviewRoutes,
  ...credentialRoutes,
  ...conversationRoutes,
  ...meteringRoutes,
  ...aiProxyRoutes,
  ...webhookRoutes,
  ...auditLogRoutes,
  ...mailRoutes,
  ...alertRoutes,
  ...notificationRoutes,
  ...newsletterRoutes,
  ...accountRoutes,
  ...accountExportRoutes,
  ...mediaRoutes,
  ...chatbotSettingsRoutes,
  ...chatbotBudgetRoutes,
  ...chatbotPublicRoutes,
  ...chatbotKnowledgeRoutes,
  ...chatbotPreviewRoutes,
  ...togetherRoutes,
  ...healthRoutes,
  ...systemRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
