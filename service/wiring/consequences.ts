import type { Reaction } from '#modules/1-ledger/events/index.ts';
import { auditRecorded } from '#modules/1-ledger/audit/index.ts';
import { invitationMailChanged } from '#modules/1-ledger/mail/index.ts';
import { publishCrossings, thresholdsCrossed } from '#modules/1-ledger/metering/index.ts';
import { draftFirstInvoices, reviveSubscriptions, subscriptionRestored, subscriptionSuspended } from '#modules/2-tenancy/billing/index.ts';
import { saveMailStatus } from '#modules/2-tenancy/invitations/index.ts';
import { reactivationReminded, rejectReactivations, settleReactivations } from '#modules/2-tenancy/accounts/index.ts';
import { clientArchived, clientChanged } from '#modules/2-tenancy/clients/index.ts';
import { accountResumed, partnerResumed, resumeForBilling, suspendForBilling, workspaceOpened } from '#modules/2-tenancy/partners/index.ts';
import { chatBudgetsChanged, rereadProfiles } from '#modules/3-product/chatbot/index.ts';
import { credentialCheckChanged, credentialRemoved, credentialSaved } from '#modules/3-product/credentials/index.ts';
import { releaseFirstContacts } from '#modules/3-product/executions/index.ts';
import {
  chatbotAnswersChanged,
  conversationHandedOff,
  endWaitsOfArchived,
  visitorWaitEnded,
  visitorWaitReminded,
} from '#modules/3-product/conversations/index.ts';
import { type AgentRequests, resumeSuspended } from '#modules/4-setup/agent-requests/index.ts';
import { instanceStatusChanged } from '#modules/4-setup/provisioning/index.ts';
import { alertChanged, type Alerts, queueEvaluation, queueEvaluationOfInstances } from '#modules/5-reactions/alerts/index.ts';
import {
  type Notifications,
  type Notify,
  notifyFromAlerts,
  notifyFromHandOvers,
  notifyFromReactivations,
  notifyFromReminders,
  queueEndOfWaits,
  queueAuditNotifications,
} from '#modules/5-reactions/notifications/index.ts';
import type { Webhooks } from '#modules/5-reactions/webhooks/index.ts';
import { type Consequence, when } from '#platform/facts.ts';

export type FactListeners = {
  notify: Notify;
  /** Null in tests that run without this module. */
  agentRequests: Pick<AgentRequests, 'resume' | 'announceLacking'> | null;
  /** Base address of the portal, without a trailing slash. */
  baseUrl: string;
};

/** Consequences of each fact, in the transaction that records it and in this order. The boot fails when a defined fact is missing. */
export function consequences({ notify, agentRequests, baseUrl }: FactListeners): Consequence[] {
  return [
    when(auditRecorded, queueAuditNotifications),
    when(invitationMailChanged, saveMailStatus),
    when(thresholdsCrossed, publishCrossings(baseUrl)),
    when(workspaceOpened, draftFirstInvoices),
    when(partnerResumed, reviveSubscriptions),
    when(accountResumed, settleReactivations, resumeSuspended),
    when(clientArchived, rejectReactivations, endWaitsOfArchived),
    when(reactivationReminded, notifyFromReactivations(notify)),
    when(subscriptionSuspended, suspendForBilling(baseUrl)),
    when(subscriptionRestored, resumeForBilling),
    when(clientChanged, async (tx, changed) => {
      await rereadProfiles(tx, changed);
      for (const { clientId } of changed) await releaseFirstContacts(tx, clientId);
    }),
    when(credentialSaved, async (tx, slots) => agentRequests?.resume(tx, slots)),
    when(credentialRemoved, async (tx, slots) => agentRequests?.announceLacking(tx, slots)),
    when(credentialCheckChanged, queueEvaluation),
    when(chatbotAnswersChanged, queueEvaluation),
    when(chatBudgetsChanged, queueEvaluation),
    when(conversationHandedOff, notifyFromHandOvers(notify)),
    when(visitorWaitReminded, notifyFromReminders(notify)),
    when(visitorWaitEnded, queueEndOfWaits),
    when(instanceStatusChanged, queueEvaluationOfInstances),
    when(alertChanged, notifyFromAlerts(notify)),
  ];
}

/**
 * Consequences of a domain event, in the one transaction that takes it off the list after the commit of its cause, in this order: of a failed attempt
 * the request notifies before the alert, which says less.
 */
export function eventReactions(modules: {
  webhooks: Pick<Webhooks, 'fanOut'>;
  mail: { reactions: readonly Reaction[] };
  alerts: Pick<Alerts, 'reaction'>;
  notifications: Pick<Notifications, 'reaction'>;
}): Reaction[] {
  return [modules.webhooks.fanOut, ...modules.mail.reactions, modules.notifications.reaction, modules.alerts.reaction];
}
