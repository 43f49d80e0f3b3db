import { account } from './account.ts';
import { accountRequests } from './account-requests.ts';
import { agentRequests } from './agent-requests.ts';
import { agents } from './agents.ts';
import { aiCalls } from './ai-calls.ts';
import { alertSettings } from './alert-settings.ts';
import { alerts } from './alerts.ts';
import { auditLog } from './audit-log.ts';
import { billingProfile } from './billing-profile.ts';
import { cannedReplies } from './canned-replies.ts';
import { chatbots } from './chatbots.ts';
import { clientImports } from './client-imports.ts';
import { clients } from './clients.ts';
import { conversationMessages } from './conversation-messages.ts';
import { conversationTurns } from './conversation-turns.ts';
import { conversations } from './conversations.ts';
import { credentials } from './credentials.ts';
import { deliveries } from './deliveries.ts';
import { domains } from './domains.ts';
import { inboundEvents } from './inbound-events.ts';
import { invitations } from './invitations.ts';
import { invoiceLines } from './invoice-lines.ts';
import { invoices } from './invoices.ts';
import type { ExportKind, ExportScope } from './kind.ts';
import { knowledge } from './knowledge.ts';
import { media } from './media.ts';
import { notifications } from './notifications.ts';
import { optOuts } from './opt-outs.ts';
import { orders } from './orders.ts';
import { people } from './people.ts';
import { planRequests } from './plan-requests.ts';
import { plannedRuns } from './planned-runs.ts';
import { reportSubscriptions } from './report-subscriptions.ts';
import { resultValues } from './result-values.ts';
import { runs } from './runs.ts';
import { schedules } from './schedules.ts';
import { singleSignOn } from './sso.ts';
import { textSuggestions } from './text-suggestions.ts';
import { usage } from './usage.ts';
import { webhooks } from './webhooks.ts';

/** Every kind of record in an export, in the order of its files. */
export const KINDS: readonly ExportKind[] = [
  account,
  clients,
  clientImports,
  people,
  invitations,
  agents,
  schedules,
  plannedRuns,
  agentRequests,
  textSuggestions,
  runs,
  inboundEvents,
  usage,
  optOuts,
  alerts,
  alertSettings,
  resultValues,
  reportSubscriptions,
  credentials,
  webhooks,
  deliveries,
  singleSignOn,
  domains,
  notifications,
  accountRequests,
  planRequests,
  billingProfile,
  orders,
  invoices,
  invoiceLines,
  auditLog,
  chatbots,
  knowledge,
  conversations,
  conversationMessages,
  conversationTurns,
  cannedReplies,
  aiCalls,
  media,
];

/** The kinds that an export of this scope holds. */
export function kindsOf({ clientId, audience }: ExportScope): ExportKind[] {
  return KINDS.filter(({ reach }) => reach === 'client' || (audience === 'agency' && (reach === 'agency' || clientId === null)));
}
