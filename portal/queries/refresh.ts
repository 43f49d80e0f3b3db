import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../app/query-client.ts';
import { keys } from './keys.ts';

/** What is refetched after a change, whether this page made it or a stream reported it. */
const STALE_AFTER = {
  accountChanged: () => [keys.me],
  sessionsChanged: () => [keys.sessions],
  /** What the service writes in the reader's language is on every page. */
  languageChosen: () => [[]],
  /** All other pages were refused until then. */
  secondStepSetUp: () => [[]],
  agencyChanged: () => [keys.ownPartner],
  timezoneChosen: () => [keys.ownPartner, keys.summary.all, keys.activity.all],
  teamChanged: () => [keys.team, keys.me], // `me` names the admins of the agency
  invitationsChanged: () => [keys.invitations.all, keys.team], // an open invitation uses a seat
  ssoConnectionChanged: () => [keys.sso, keys.ssoFailedLogins, keys.ssoAffected],
  domainChanged: () => [keys.domain],
  planRequestSent: () => [keys.planRequests.last],
  /** A stage of a setup: what it installs is on the agents’ pages, and its runs use credits. */
  setupChanged: () => [
    keys.setup.all,
    keys.agents.all,
    keys.agentRequests.all,
    keys.catalog.all,
    keys.summary.all,
    keys.quota,
    keys.navigation,
    keys.client.live,
  ],
  /** A stage of the setup of the sample, or its run. */
  sampleProgressed: () => [
    keys.navigation,
    keys.onboarding,
    keys.setup.all,
    keys.agents.all,
    keys.catalog.all,
    keys.summary.all,
    keys.quota,
  ],

  /** A request to delete or reactivate an account was made, withdrawn or decided. */
  accountRequestChanged: () => [keys.account.requests, keys.workQueue, keys.partners.all, keys.clients.all, keys.summary.all],
  engineSessionLost: () => [keys.engine],
  purgeChanged: (requestId: string) => [keys.account.purge(requestId)],
  exportsChanged: () => [keys.account.exports],

  clientSaved: () => [keys.navigation, keys.clients.list, keys.clients.allNames, keys.onboarding],
  /** Clients were added, changed or removed by an import or its undo. */
  clientsImported: () => [keys.navigation, keys.clients.all, keys.summary.all, keys.onboarding],
  clientConflict: (id: string) => [keys.clients.one(id)],
  clientUsersChanged: (id: string) => [keys.clients.users(id)],

  agentSaved: () => [keys.agents.list, keys.summary.all],
  agentSwitched: () => [keys.agents.all, keys.onboarding, keys.summary.all],
  agentConflict: (id: string) => [keys.agents.one(id)],
  agentDeleted: () => [keys.navigation, keys.agents.all, keys.agentRequests.all, keys.catalog.all, keys.summary.all, keys.runs.all],
  scheduleConflict: (id: string) => [keys.agents.schedule(id)],
  agentRequestChanged: () => [
    keys.navigation,
    keys.onboarding,
    keys.agentRequests.all,
    keys.agents.all,
    keys.catalog.all,
    keys.summary.all,
    keys.workQueue,
  ],
  /** A text was suggested, withdrawn or decided; an applied one is the agent's. */
  /** The inbox remarks on visitors whose number is on the list. */
  stopListChanged: () => [keys.stopList.all, keys.inbox.ones],
  textSuggestionChanged: () => [keys.textSuggestions.all, keys.agents.all, keys.client.allAgents],
  credentialsChanged: () => [keys.credentials.all, keys.catalog.all, keys.summary.all, keys.agents.all],

  chatbotSaved: (clientId: string) => [keys.chatbot.list, keys.chatbot.knowledge(clientId)],
  chatbotConflict: (clientId: string) => [keys.chatbot.settings(clientId)],
  chatBudgetsChanged: () => [keys.chatbot.budgets],
  knowledgeChanged: (clientId: string) => [keys.chatbot.knowledge(clientId), keys.chatbot.list],

  runStarted: () => [keys.runs.all, keys.onboarding, keys.summary.all, keys.quota],
  runRepeated: () => [keys.runs.list],
  runChanged: (id: string) => [keys.runs.one(id)],
  /** An execution that is already in the list. */
  runReported: () => [keys.runs.causes, keys.summary.all, keys.quota],
  runListOutdated: () => [keys.runs.list],
  runsOfAgentReported: (agentId: string) => [keys.runs.ofScope, keys.agents.stats(agentId)],
  reportMailed: (clientId: string) => [keys.report.recipients(clientId)],
  /** What a run saves is part of every figure of hours. */
  hoursEstimateChanged: () => [keys.report.all, keys.summary.all],
  summaryOutdated: () => [keys.summary.all],

  endpointsChanged: () => [keys.webhooks.endpoints],
  deliveryReported: (endpointId: string) => [keys.webhooks.endpoints, keys.webhooks.recoveries(endpointId)],
  deliveriesOutdated: (endpointId: string) => [keys.webhooks.deliveries(endpointId)],
  recoveryChanged: (endpointId: string) => [keys.webhooks.recoveries(endpointId), keys.webhooks.deliveries(endpointId)],

  /** A reply, take-over or other change of one conversation by this page. */
  conversationChanged: (id: string) => [keys.inbox.one(id), keys.inbox.messages(id), keys.inbox.list, keys.inbox.counts],
  inboxListOutdated: () => [keys.inbox.list, keys.inbox.counts],
  inboxCountsOutdated: () => [keys.inbox.counts],
  /** Changes may have been missed. */
  inboxOutdated: () => [keys.inbox.list, keys.inbox.counts, keys.inbox.ones, keys.inbox.threads],
  cannedRepliesChanged: () => [keys.inbox.canned],

  alertChanged: () => [keys.alerts.all, keys.summary.all],
  notificationsChanged: () => [keys.notifications.bell],

  /** An order, new terms, an adjustment, or an invoice that was issued, paid, voided or credited. */
  billingChanged: () => [keys.billing.all, keys.partners.all, keys.ownPartner, keys.quota, keys.ledgers, keys.team],
  aiRatesChanged: () => [keys.aiRates.all],
  plansChanged: () => [keys.plans.all],
  planRequestDecided: () => [keys.workQueue, keys.planRequests.all, keys.partners.all, keys.plans.all, keys.billing.all],
  nameReviewDecided: () => [keys.workQueue, keys.nameReviews.all, keys.mail.all],
  /** The confirmation of an application that waited was sent. */
  applicationMailSent: () => [keys.planRequests.all, keys.mail.all],
  /** A deletion or reactivation of an agency was decided. */
  accountRequestDecided: () => [keys.workQueue, keys.staffNavigation, keys.accountRequests.all, keys.partners.all],
  workItemConflict: () => [keys.workQueue],
  partnersChanged: () => [keys.partners.all, keys.staffNavigation],
  ssoReleased: (partnerId: string) => [keys.partners.one(partnerId)],
  usersChanged: () => [keys.users.all],
  userDisabled: () => [keys.users.all, keys.partners.allUsers],
  automationChanged: (partnerId: string) => [keys.automation.live(partnerId), keys.partners.one(partnerId)],
  rolloutStarted: (templateName: string) => [keys.rollouts.of(templateName)],
  rolloutChanged: (templateName: string) => [keys.rollouts.of(templateName), keys.templates],
  rolloutAdvanced: () => [keys.templates],
  mailRetried: () => [keys.mail.all, keys.system],

  clientRunReported: () => [keys.client.live],
  clientCredentialsChanged: () => [
    keys.client.credentials,
    keys.client.requirements,
    keys.client.agents,
    keys.client.allAgents,
    keys.client.summary,
  ],
  businessConflict: () => [keys.client.business],
} satisfies Record<string, (...args: never[]) => readonly QueryKey[]>;

export type Change = keyof typeof STALE_AFTER;

/** Refetches what `change` made stale. Resolves when the queries in use have been refetched. */
export async function refreshAfter<C extends Change>(change: C, ...args: Parameters<(typeof STALE_AFTER)[C]>): Promise<void> {
  const staleAfter = STALE_AFTER[change] as (...args: Parameters<(typeof STALE_AFTER)[C]>) => readonly QueryKey[]; // the member of `change`
  await Promise.all(staleAfter(...args).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
